/** Returns suggested values of a text filter as HTML. */
import type { Suggestions } from './filter-form.tsx';

export const suggestionsOf = (names: readonly string[]): Suggestions => ({
  html: names.map((name) => `<option value="${escapeHtml(name)}"></option>`).join(''),
});

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => signs[sign] as string);
