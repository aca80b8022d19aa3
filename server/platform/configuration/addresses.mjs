// Addresses of PostgreSQL that name several servers, as its own programs know them (libpq): `postgres://a,b:5433/school`, or
// in the query `?host=a,b`. Plain JavaScript, as the settings are that it is read for.

const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)([^/?#]*)([^?#]*)(?:\?(.*))?$/i;

/**
 * An address for each server that is named, in their order; of whatever names one server, or cannot be read, that itself.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function addressesOf(text) {
  const [, before = '', authority = '', path = '', query = ''] = parts.exec(text) ?? [];
  const asked = new URLSearchParams(query);
  const wished = asked.get('target_session_attrs') !== null;
  const [hosts, ports] = ['host', 'port'].map((name) => (asked.get(name) ?? '').split(','));
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
 * What is wrong with the servers that an address names; undefined where nothing is.
 *
 * @param {string} text
 * @returns {string | undefined}
 */
export function serversFault(text) {
  const wish = /[?&]target_session_attrs=([^&#]*)/.exec(text)?.[1];
  if (wish === undefined || wish === 'read-write' || wish === 'primary') return undefined;
  return 'is to be of a server that takes writes: target_session_attrs is read-write or primary, or left out; where reports are read from is DATABASE_REPLICA_URL';
}
