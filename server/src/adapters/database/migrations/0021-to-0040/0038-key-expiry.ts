export const keyExpiry = `
alter table api_key add column expires_at timestamptz, add column read_only boolean not null default false;
`;
