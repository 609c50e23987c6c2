"""What became of characters: a line for each edit, what scenes changed, and going back.

Read ``lines`` for how an edit is told, ``scene_changes`` and ``scene_events`` for what scenes change, then
``service``.
"""
