"""Models in files: what was learned from a table or a folder, for new rows and for questions."""

from samekind.app.model.saved import SavedModel, load_model, save_model

__all__ = ["SavedModel", "load_model", "save_model"]
