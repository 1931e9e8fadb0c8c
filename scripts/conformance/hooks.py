"""What schemathesis is told about the service besides its OpenAPI document."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    """An export is lines of JSON; what is generated is one of them."""
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode() + b"\n"


@schemathesis.hook
def filter_case(ctx, case):
    """Headers above 16 KiB are refused by net/http itself (431, in plain text)."""
    return sum(len(str(k)) + len(str(v)) for k, v in (case.headers or {}).items()) < 8192
