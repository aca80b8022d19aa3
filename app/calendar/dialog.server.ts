/** The calendar's dialogs stand over the person's calendar and over that of a class, one segment below either. */

/** The calendar behind `…/<dialog>`, where it was. */
export function behindCalendarDialog({ pathname, searchParams }: URL): string {
  const search = new URLSearchParams(searchParams);
  search.delete('entry');
  return pathname.replace(/\/[^/]+\/?$/, '') + (search.size > 0 ? `?${search}` : '');
}

/** The class whose calendar it is; undefined for the person's own. */
export function dialogClass({ pathname, searchParams }: URL): number | undefined {
  if (!pathname.startsWith('/classes/')) return undefined;
  const id = searchParams.get('id') ?? '';
  return /^[1-9]\d{0,8}$/.test(id) ? Number(id) : 0;
}
