import type { Generated } from "kysely";

/** The tables that are read and written with the query builder; the others are reached by named statements. */
export interface Tables {
  readonly account: {
    readonly number: Generated<number>;
    readonly id: string;
    readonly email: string;
    readonly name: Generated<string | null>;
    readonly plan: string;
    readonly created_at: Date;
    readonly period_anchor: Date | null;
    readonly subscription_id: Generated<string | null>;
    readonly paid_from: Generated<Date | null>;
    readonly paid_until: Generated<Date | null>;
  };
  readonly api_key: {
    readonly number: Generated<number>;
    readonly id: string;
    readonly account_id: string;
    readonly slot: number;
    readonly name: string;
    readonly hash: Uint8Array;
    readonly last_four: string;
    readonly created_at: Date;
    readonly last_used_at: Date | null;
    readonly revoked_at: Date | null;
  };
  readonly allowance: {
    readonly account_id: string;
    readonly slot: number;
    readonly period: string;
    readonly used: number;
    readonly held: number;
  };
}
