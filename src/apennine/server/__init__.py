"""The server: matches over HTTP and WebSockets, seats, storage, bots in processes of their own.

It needs the extra `server`. `apennine serve` starts it; `docs/server.md` tells what it answers.
"""
