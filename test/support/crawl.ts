/** Visits every screen that a person can reach through links and filter forms. */

export interface Visited {
  address: string;
  status: number;
  milliseconds: number;
}

/** Gets a page as a browser without scripts would. Does not follow redirects. */
export type Visit = (address: string) => Promise<{ status: number; html: string; location: string | null }>;

/** Addresses that the crawl leaves out: they end the session, or lead away from the school or its pages. */
const left =
  /^\/(logout|appearance|static|files|exports|api|courseware\/file|calendar\/feed|admin\/students\/export)\b/;

/**
 * Returns the kind of page at an address: replaces ids, names and days by placeholders. Tabs, sort orders and small
 * numbers (choices of a filter) stay.
 */
export function kindOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://school.test');
  const path = pathname.replaceAll(/\/\d+(?=\/|$)/g, '/#').replaceAll(/\/[\w-]{20,}(?=\/|$)/g, '/#');
  const query = [...new Map(searchParams)]
    .map(([name, value]) => `${name}=${/^(?:\d|[a-z_]{1,24})$/.test(value) && !/id$/.test(name) ? value : '#'}`)
    .sort();
  return [path, ...query].join(' ');
}

const decoded = (written: string): string =>
  written.replaceAll('&amp;', '&').replaceAll('&#x27;', "'").replaceAll('&quot;', '"');

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag);
  return found ? decoded(found[1] as string) : undefined;
};

/**
 * Lists the addresses of all links and GET forms of a page. Each form counts unchanged, and with each field filled in.
 */
export function addressesOf(html: string, here: string): string[] {
  const links = [...html.matchAll(/<a\s[^>]*?href="([^"#]+)/g)].map((found) => decoded(found[1] as string));
  const forms = [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].flatMap(([form]) => {
    const head = form.slice(0, form.indexOf('>') + 1);
    if (/\smethod="post"/i.test(head)) return [];
    const action = attribute(head, 'action') ?? here;
    const fields: [string, string][] = [];
    const fillings: [string, string][] = [];
    for (const [control, name] of form.matchAll(/<(?:input|select)\b[^>]*\sname="([^"]+)"[^>]*>/g)) {
      const type = attribute(control, 'type');
      const value = attribute(control, 'value');
      if (type === 'hidden') fields.push([name as string, value ?? '']);
      else if (type === 'date') fillings.push([name as string, '2026-11-02']);
      else if (type === 'checkbox' || type === 'radio') fillings.push([name as string, value ?? 'on']);
      else if (control.startsWith('<select')) {
        const options = form.slice(form.indexOf(control)).split('</select>')[0] ?? '';
        const values = [...options.matchAll(/<option\b[^>]*\svalue="([^"]+)"/g)].map((found) => found[1] as string);
        if (values[0]) fillings.push([name as string, decoded(values[0])]);
      } else fillings.push([name as string, '一']);
    }
    return [[], ...fillings.map((one) => [one])].map((chosen) => {
      const { pathname } = new URL(action, `http://school.test${here}`);
      const query = new URLSearchParams([...fields.filter(([, value]) => value !== ''), ...chosen]).toString();
      return query ? `${pathname}?${query}` : pathname;
    });
  });
  return [...links, ...forms].flatMap((address) => {
    const { origin, pathname, search } = new URL(address, `http://school.test${here}`);
    return origin === 'http://school.test' && !left.test(pathname) ? [pathname + search] : [];
  });
}

/** Returns the screen and tab of an address, without filters, sort order and page. */
export function screenOf(address: string): string {
  const [path = '', ...query] = kindOf(address).split(' ');
  return [path, ...query.filter((one) => /^(tab|by|from|type|view|entry)=/.test(one))].join(' ');
}

/** Visits pages from link to link: at most `each` addresses per kind, and at most `eachScreen` per screen and tab. */
export async function crawl(
  visit: Visit,
  { from, each, eachScreen }: { from: string[]; each: number; eachScreen: number },
): Promise<{ visited: Visited[] }> {
  const visited: Visited[] = [];
  const known = new Set<string>();
  const counts = new Map<string, number>();
  const waiting: string[] = [];
  const find = (address: string) => {
    if (known.has(address)) return;
    known.add(address);
    const kind = kindOf(address);
    const screen = `screen ${screenOf(address)}`;
    const [ofKind = 0, ofScreen = 0] = [counts.get(kind), counts.get(screen)];
    if (ofKind >= each || ofScreen >= eachScreen) return;
    counts.set(kind, ofKind + 1).set(screen, ofScreen + 1);
    waiting.push(address);
  };
  for (const address of from) find(address);
  while (waiting.length > 0) {
    const address = waiting.shift() as string;
    const started = performance.now();
    const { status, html, location } = await visit(address);
    visited.push({ address, status, milliseconds: performance.now() - started });
    if (location)
      for (const found of addressesOf(`<a href="${location.replaceAll('&', '&amp;')}">`, address)) find(found);
    else if (status < 400) for (const found of addressesOf(html, address)) find(found);
  }
  return { visited };
}
