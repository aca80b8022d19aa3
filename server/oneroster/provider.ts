/** HTTP endpoints of OneRoster 1.2: tokens, rostering and gradebook. All but the token are read-only. */
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { routePath } from 'hono/route';
import type { ApiRouter, RequestVariables } from '#server/platform/calls/answer.ts';
import { answerToError } from '#server/platform/calls/answer.ts';
import { clientAddressHeader, originOf } from '#server/platform/calls/client-address.ts';
import { isRefusal } from '#server/platform/calls/outcome.ts';
import { createLimit } from '#server/platform/calls/rate-limit.ts';
import { withReplicaReads } from '#server/platform/db/replica.ts';
import { type Services, schoolBackend } from '#server/school/context.ts';
import { accessMessages } from '#server/school/rules.ts';
import { schoolSettings } from '#server/school/settings.ts';
import { answerToken, authenticateClient, type RosterClient } from './access.ts';
import { type Endpoint, endpoints, resolveParents } from './endpoints.ts';
import { type Links, linksFrom } from './links.ts';
import { type PageQuery, readFields, readPageQuery, recordJson, recordOf, recordPage } from './page.ts';
import type { RequestContext } from './record-source.ts';
import { clientRateLimit, tokenPath, tokenRateLimit } from './rules.ts';
import { faultResponse, RosterRefusal, tooManyRequests, unknownObject } from './status.ts';

type HttpContext = Context<RequestVariables>;

export function mountOneRoster(api: ApiRouter, services: Services): void {
  const backend = schoolBackend(services);
  const ofClient = createLimit(clientRateLimit);
  const ofAddress = createLimit(tokenRateLimit);
  const { db } = services.database;

  /** Bugs and database failures get the same status as in other calls, but in the standard's format. */
  const answered =
    (answer: (context: HttpContext) => Promise<Response | RosterRefusal>) =>
    async (context: HttpContext): Promise<Response> => {
      try {
        const outcome = await answer(context);
        return outcome instanceof RosterRefusal ? faultResponse(outcome) : outcome;
      } catch (error) {
        const request = { method: context.req.method, route: routePath(context), requestId: context.get('requestId') };
        const refused = answerToError(error, backend, request);
        const fault = isRefusal(refused)
          ? new RosterRefusal('server_busy', refused.msg, { status: 503 })
          : new RosterRefusal('internal_server_error', refused.msg);
        return faultResponse(fault);
      }
    };

  const small = bodyLimit({
    maxSize: 16 * 1024,
    onError: () => faultResponse(new RosterRefusal('invaliddata', '请求内容过长', { status: 413 })),
  });
  api.post(
    tokenPath,
    small,
    answered(async (context) => {
      // The rate limit counts per IP address, so that guessing from one address does not lock out others.
      const wait = ofAddress(context.req.header(clientAddressHeader) ?? '', performance.now());
      if (wait !== undefined) return tooManyRequests(wait);
      const isForm = /^application\/x-www-form-urlencoded\b/i.test(context.req.header('content-type') ?? '');
      const form = new URLSearchParams(isForm ? await context.req.text() : '');
      const authorization = context.req.header('authorization');
      const answer = await answerToken(db, { authorization, form }, services.now());
      const headers = { 'cache-control': 'no-store', pragma: 'no-cache' };
      if (!('error' in answer)) return Response.json(answer, { headers });
      return answer.error === 'invalid_client'
        ? Response.json(answer, { status: 401, headers: { ...headers, 'www-authenticate': 'Basic realm="OneRoster"' } })
        : Response.json(answer, { status: 400, headers });
    }),
  );

  for (const endpoint of endpoints) {
    const read = endpoint.isOne ? readOne : readMany;
    api.get(
      endpoint.path,
      answered(async (context) => {
        const now = services.now();
        const client = await authenticateClient(db, context.req.header('authorization'), now);
        const fault = client ? scopeFault(endpoint, client) : noToken();
        if (!client || fault) return fault ?? noToken();
        const wait = ofClient(client.id, performance.now());
        if (wait !== undefined) return tooManyRequests(wait);
        const { timezone } = await schoolSettings(db, now);
        return withReplicaReads(() => read(context, endpoint, { db, client, now, timezone }));
      }),
    );
  }
  api.all(
    '/ims/oneroster/*',
    answered(async (context) => {
      const isRead = context.req.method === 'GET' || context.req.method === 'HEAD';
      return isRead ? unknownObject() : new RosterRefusal('unsupported', '只能读取', { headers: { allow: 'GET' } });
    }),
  );
}

const noToken = (): RosterRefusal =>
  new RosterRefusal('unauthorisedrequest', accessMessages.token, {
    headers: { 'www-authenticate': 'Bearer realm="OneRoster"' },
  });

const scopeFault = ({ scopes }: Endpoint, client: RosterClient): RosterRefusal | undefined =>
  scopes.some((scope) => client.scopes.includes(scope))
    ? undefined
    : new RosterRefusal('forbidden', '令牌没有该范围（scope）');

const linksOf = (context: HttpContext): Links => linksFrom(originOf(context.req.raw));
const encodeQuery = (context: HttpContext): URLSearchParams => new URL(context.req.url).searchParams;
const paramIn = (context: HttpContext) => (name: string) => context.req.param(name as never) ?? '';

async function readOne(
  context: HttpContext,
  endpoint: Endpoint,
  request: RequestContext,
): Promise<Response | RosterRefusal> {
  const { resource } = endpoint;
  const fields = readFields(resource, encodeQuery(context).get('fields'));
  if (fields instanceof RosterRefusal) return fields;
  const found = await recordOf(request, resource, endpoint.within, paramIn(context)('id'));
  if (!found) return unknownObject();
  const { timezone } = request;
  return answer({ [resource.one]: recordJson(resource, found.row, { links: linksOf(context), timezone, fields }) });
}

async function readMany(
  context: HttpContext,
  endpoint: Endpoint,
  request: RequestContext,
): Promise<Response | RosterRefusal> {
  const { resource } = endpoint;
  const query = readPageQuery(resource, encodeQuery(context));
  if (query instanceof RosterRefusal) return query;
  const within = await resolveParents(request, endpoint, paramIn(context));
  if (!within) return unknownObject();
  const { rows, total } = await recordPage(request, resource, within, query);
  const shown = { links: linksOf(context), timezone: request.timezone, fields: query.fields };
  return answer(
    { [resource.many]: rows.map((row) => recordJson(resource, row, shown)) },
    { 'x-total-count': String(total), link: pageLinks(context.req.raw, query, total) },
  );
}

const answer = (body: object, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json(body, { headers: { ...headers, 'cache-control': 'private, no-store' } });

/** Builds the Link header (RFC 8288) with first, previous, next and last page. */
function pageLinks(request: Request, { limit, offset }: PageQuery, total: number): string {
  const { pathname, search } = new URL(request.url);
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit;
  const places: [string, number][] = [
    ...(offset + limit < total ? ([['next', offset + limit]] as [string, number][]) : []),
    ['last', last],
    ['first', 0],
    ...(offset > 0 ? ([['prev', Math.max(0, offset - limit)]] as [string, number][]) : []),
  ];
  return places
    .map(([name, at]) => {
      const place = new URL(`${pathname}${search}`, originOf(request));
      place.searchParams.set('limit', String(limit));
      place.searchParams.set('offset', String(at));
      // Parsers of this header would take an unescaped comma as the end of the link.
      return `<${place.href.replaceAll(',', '%2C')}>; rel="${name}"`;
    })
    .join(', ');
}
