/**
 * Returns a random id of 24 lowercase letters and digits. `crypto.randomUUID` exists only on HTTPS pages, and a
 * school's own server may use plain HTTP.
 */
export const newId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, '0')).join('');
};
