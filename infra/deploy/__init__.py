"""Hearthforge on other machines: images, a compose file, Kubernetes manifests; ``README.md`` is their manual.

``secrets`` makes the keys and passwords of a deployment; ``healthcheck`` is what a container engine asks a
service with. What the manifests set is compared with ``services.shared.settings`` by ``tests/infra``.
"""
