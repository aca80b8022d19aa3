/**
 * An id that nobody else makes, of 24 small letters and digits. Not `crypto.randomUUID`, which browsers have only on
 * pages that came by https, and a school's server in its own network may have none.
 */
export const newId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, '0')).join('');
};
