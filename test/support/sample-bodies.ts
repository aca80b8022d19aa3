/** Bodies of calls, made of what their schemas say. */

export interface ReadSchema {
  type?: string;
  entries?: Record<string, ReadSchema>;
  pipe?: ReadSchema[];
  wrapped?: ReadSchema;
  item?: ReadSchema;
  options?: unknown[];
}

/** A value that a schema may take: what is known of a field by its name, else the plainest. */
export function sample(schema: unknown, name: string, known: Record<string, unknown>): unknown {
  const { type, entries, pipe, wrapped, item, options } = (schema ?? {}) as ReadSchema;
  if (name in known) return type === 'array' && !Array.isArray(known[name]) ? [known[name]] : known[name];
  if (pipe) return sample(pipe[0], name, known);
  if (wrapped) return sample(wrapped, name, known);
  if (entries)
    return Object.fromEntries(Object.entries(entries).map(([one, inner]) => [one, sample(inner, one, known)]));
  if (type === 'array') return [sample(item, name, known)];
  if (type === 'picklist') return options?.[0];
  if (type === 'union' || type === 'variant') return sample(options?.[0], name, known);
  return type === 'number' ? 1 : '1';
}

export const fieldsOf = (schema: unknown): Record<string, ReadSchema> => {
  const { entries, pipe } = (schema ?? {}) as ReadSchema;
  return entries ?? (pipe ? fieldsOf(pipe[0]) : {});
};
