"""The application around the estimators: files, runs, results, report and the command."""
