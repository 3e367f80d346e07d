-- Only the descriptions change: of the reason `import`, and of days that an import counts as loaded.
COMMENT ON COLUMN "connections"."paused_reason" IS 'Why it is paused: user, failures (too many runs failed in a row), schema_change (its policy waits for a decision) or import (until its apps are connected); null: active.';
COMMENT ON COLUMN "coverage"."first_loaded_at" IS 'When rows were first loaded; null: never, or a day that an import counts as loaded and whose sums are unknown.';
