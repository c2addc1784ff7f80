"""serve.py [FOLDER [PORT]]: serves the page on this machine, and lets it share memory with its workers (threads)."""
import functools
import http.server
import os
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.send_header("Access-Control-Allow-Origin", "*")  # also in a frame that has no origin
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_):
        pass


folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
port = sys.argv[2] if len(sys.argv) > 2 else "8000"
handler = functools.partial(Handler, directory=folder)
try:
    with http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), handler) as server:
        print(f"http://localhost:{server.server_port}/", flush=True)
        server.serve_forever()
except KeyboardInterrupt:
    pass
except OSError as fault:
    sys.exit(f"serve.py: port {port}: {fault.strerror}; another one: app/serve.sh {int(port) + 1}")
