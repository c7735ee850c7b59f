"""A debuginfod server that answers what it should not: hostile_debuginfod.py DIRECTORY KIND prints its port, and serves until
it is killed.

right     DIRECTORY/right, for comparison
wrong     DIRECTORY/wrong, whatever was asked for
loop      redirects to itself for ever
endless   a body that never ends, without saying its length
inflated  a body of zeros that is a thousand times as large as what is sent
"""

import http.server
import socketserver
import sys
import zlib

directory, kind = sys.argv[1:3]
BLOCK = 1 << 16


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def begin(self, status=200, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def do_GET(self):
        try:
            getattr(self, kind)()
        except (BrokenPipeError, ConnectionResetError):
            pass

    def right(self):
        self.wrong()

    def wrong(self):
        with open(directory + "/" + kind, "rb") as file:
            data = file.read()
        self.begin(Content_Length=str(len(data)), X_DEBUGINFOD_SIZE=str(len(data)))
        self.wfile.write(data)

    def loop(self):
        self.begin(302, Location=self.path)

    def endless(self):
        self.begin()
        while True:
            self.wfile.write(bytes(BLOCK))

    def inflated(self):
        self.begin(Content_Encoding="gzip")
        compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
        while True:
            self.wfile.write(compressor.compress(bytes(16 * BLOCK)))

    def log_message(self, *args):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


with Server(("127.0.0.1", 0), Handler) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
