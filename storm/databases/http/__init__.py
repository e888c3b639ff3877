"""The only way to a service: rate-limited, retried, cached and recorded calls, and the meaning of their answers."""
