#ifndef XPROF_REPORT_FLAME_WEB_ASSETS_H
#define XPROF_REPORT_FLAME_WEB_ASSETS_H

/* The files of report/flame/web/, unchanged, which scripts/embed.sh converts to C at build time. */

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
