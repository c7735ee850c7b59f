#ifndef XPROF_REPORT_FLAME_WEB_ASSETS_H
#define XPROF_REPORT_FLAME_WEB_ASSETS_H

/* The files of report/web/, as they are, which scripts/embed.sh turns into C when xprof is built. */

extern const char web_flame_css[];
extern const char web_flame_blocks_js[];
extern const char web_flame_command_js[];
extern const char web_flame_heat_js[];
extern const char web_flame_html_css[];
extern const char web_flame_html_html[];
extern const char web_flame_html_js[];
extern const char web_flame_lanes_js[];
extern const char web_flame_model_js[];
extern const char web_flame_names_js[];
extern const char web_flame_paint_js[];
extern const char web_flame_pane_js[];
extern const char web_flame_samples_js[];
extern const char web_flame_scale_js[];
extern const char web_flame_search_js[];
extern const char web_flame_spans_js[];
extern const char web_flame_svg_css[];
extern const char web_flame_svg_js[];
extern const char web_flame_table_js[];

#endif
