/**
 * What makes the entries of the question bank's index names the function that it calls with its schema: pg_restore and
 * whoever else fills a table with an empty search path find it, too.
 */
const postgres = `
do $$
begin
  execute replace(pg_get_functiondef('question_grams'::regproc), ' search_grams(', format(' %I.search_grams(', current_schema()));
end $$;
`;

export const foundWhereItIs = { sqlite: '', postgres };
