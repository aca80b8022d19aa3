// Parses PostgreSQL addresses with several servers, as libpq does: `postgres://a,b:5433/school` or `?host=a,b`. Plain
// JavaScript, because settings are read before packages are installed.

const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)([^/?#]*)([^?#]*)(?:\?(.*))?$/i;

/**
 * Returns one address per server, in order. An address with one server, or an unreadable one, is returned unchanged.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function addressesOf(text) {
  const [, before = '', authority = '', path = '', query = ''] = parts.exec(text) ?? [];
  const search = new URLSearchParams(query);
  const wished = search.get('target_session_attrs') !== null;
  const [hosts, ports] = ['host', 'port'].map((name) => (search.get(name) ?? '').split(','));
  const places = authority.split(',');
  const count = Math.max(places.length, hosts?.length ?? 1);
  if (!before || (count === 1 && !wished)) return [text];
  return Array.from({ length: count }, (_, place) => {
    const own = new URLSearchParams(query);
    own.delete('target_session_attrs');
    for (const [name, values] of /** @type {const} */ ([
      ['host', hosts],
      ['port', ports],
    ])) {
      const value = values?.[place] ?? values?.at(-1);
      if (value) own.set(name, value);
    }
    const said = own.size > 0 ? `?${own}` : '';
    return `${before}${places[place] ?? places.at(-1)}${path}${said}`;
  });
}

/**
 * Returns the fault in the list of servers as a sentence, or undefined.
 *
 * @param {string} text
 * @returns {string | undefined}
 */
export function serversFault(text) {
  const wish = /[?&]target_session_attrs=([^&#]*)/.exec(text)?.[1];
  if (wish === undefined || wish === 'read-write' || wish === 'primary') return undefined;
  return 'is to be of a server that takes writes: target_session_attrs is read-write or primary, or left out; where reports are read from is DATABASE_REPLICA_URL';
}
