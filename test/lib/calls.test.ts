/** Snapshot of every API call: the contract for other applications. */
import { expect, it } from 'vitest';
import { apiDescription } from '#server/api.ts';
import { openApi } from '#server/platform/calls/describe.ts';
import { prefixes } from '#server/school/call.ts';

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** Field names: `{list[{id,name}],total}`. */
function fieldsOf({ properties, items, anyOf = [] }: Schema): string {
  if (properties) {
    return `{${Object.entries(properties)
      .map(([name, schema]) => name + fieldsOf(schema))
      .join(',')}}`;
  }
  if (items) return `[${fieldsOf(items)}]`;
  return [...new Set(anyOf.map(fieldsOf).filter((fields) => fields !== ''))].join('|');
}

const contentOf = (content: Record<string, { schema: unknown }> = {}) =>
  Object.entries(content).map(([type, { schema }]) => {
    const { properties: { code, data = schema } = {} } = schema as Schema;
    const fields = fieldsOf((code ? data : schema) as Schema);
    return type === 'application/json' ? fields : `${type} ${fields}`;
  });

const eitherPrefix = new RegExp(`^(?:${Object.values(prefixes).join('|')})/`);

it('calls equal the snapshot', async () => {
  /** Addresses of each call with the roles that may call it. Most calls are the same for lecturers and assistants. */
  const addresses = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(openApi(apiDescription).paths)) {
    for (const [method, { parameters, requestBody, responses, description = '', security }] of Object.entries(
      methods,
    )) {
      const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      const [prefix = ''] = eitherPrefix.exec(path) ?? [];
      const lines = [
        `${method.toUpperCase()} ${path.slice(prefix.length)}${query.length > 0 ? `?${query.join('&')}` : ''}`,
        ...(security ? [`  by ${security.flatMap(Object.keys).join(' or ') || 'anybody'}`] : []),
        ...(/需要权限：[^。]+/.exec(description) ?? []).map((needs) => `  ${needs}`),
        ...contentOf(requestBody?.content).map((fields) => `  takes ${fields}`),
        `  ${responses['200']?.description} ${contentOf(responses['200']?.content).join('')}`.trimEnd(),
      ];
      const said = lines.join('\n');
      addresses.set(said, [...(addresses.get(said) ?? []), prefix.slice(0, -1)]);
    }
  }
  const lines = [...addresses].map(([said, below]) =>
    below[0] ? said.replace('\n', `\n  below ${below.join(', ')}\n`) : said,
  );
  await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot('calls.txt');
});
