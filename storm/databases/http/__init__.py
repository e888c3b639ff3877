"""The only way to a service: calls that are limited, retried, cached and recorded, and what their answers mean."""
