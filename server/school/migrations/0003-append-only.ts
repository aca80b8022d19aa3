/** History cannot be rewritten, whoever holds the connection. */
export const appendOnly = {
  sqlite: `
create trigger history_no_update before update on history begin select raise(abort, 'history is append-only'); end;
create trigger history_no_delete before delete on history begin select raise(abort, 'history is append-only'); end;
`,
  postgres: `
create function refuse_rewriting_history() returns trigger language plpgsql as $$
begin
  raise exception 'history is append-only';
end $$;
create trigger history_append_only before update or delete on history
  for each row execute function refuse_rewriting_history();
`,
};
