/**
 * A function of the database and the triggers that call it. The release before serves on the same database and calls functions by
 * their names: a function that would answer it differently gets a new name with the next number, and the former one moves to
 * `former/` until no release before calls it.
 */
export interface DatabaseFunction {
  readonly name: string;
  /** Begins with `create or replace function`. */
  readonly sql: string;
  readonly triggers?: readonly DatabaseTrigger[];
}

/** A trigger that is on its table already stays as it is, so a trigger that changes gets a new name. */
interface DatabaseTrigger {
  readonly name: string;
  readonly table: string;
  /** Begins with `create trigger`. */
  readonly sql: string;
}
