/**
 * Reports of browsers about violations of the content security policy (CSP): a page of ours is wrong, or somebody
 * injected something. Anybody can send such reports, and a browser add-on may cause one on each page of a whole school.
 * So they are counted by kind, and each kind is logged once an hour. Only the violated directive, the blocked origin
 * and the kind of page are stored; no ids, input or names.
 */
import { bodyLimit } from 'hono/body-limit';
import * as v from 'valibot';
import type { Log } from '#server/platform/monitoring/log.ts';
import { count } from '#server/platform/monitoring/metrics.ts';
import type { ApiRouter } from './answer.ts';
import { clientAddressHeader } from './client-address.ts';
import { refusalResponse } from './envelope.ts';
import { Refusal } from './outcome.ts';
import { createLimit } from './rate-limit.ts';
import { callMessages } from './rules.ts';

export const policyReportsPath = '/api/policy-reports';

/** Rate limit per IP address. A class of thirty behind one address can send two reports per page each. */
const reportsOfAddress = { atOnce: 60, perSecond: 1 };
const largest = 64 * 1024;
/** Maximum number of kinds; reports of further kinds are counted together. */
const maxKinds = 200;
/** Seconds between two log lines of one kind. */
const logInterval = 3_600;

/** The two formats of reports (`report-uri` and `report-to`). Browsers leave out different fields. */
const Said = v.optional(v.union([v.string(), v.number()]), '');
const Older = v.object({
  'csp-report': v.object({
    'document-uri': Said,
    'effective-directive': Said,
    'violated-directive': Said,
    'blocked-uri': Said,
    'source-file': Said,
    'line-number': Said,
  }),
});
const Newer = v.object({
  type: v.literal('csp-violation'),
  body: v.object({ documentURL: Said, effectiveDirective: Said, blockedURL: Said, sourceFile: Said, lineNumber: Said }),
});

/** CSP directives that a report may name: ours, and the ones browsers use for them. Any other counts as `*`. */
const directives = (
  'default-src script-src script-src-elem script-src-attr style-src style-src-elem style-src-attr img-src font-src ' +
  'connect-src media-src object-src frame-src child-src worker-src manifest-src base-uri form-action frame-ancestors'
).split(' ');

/** The part of a report that is stored. */
export interface PolicyReport {
  /** The violated directive, such as `script-src-elem`. */
  directive: string;
  /** The blocked source: `inline`, `eval`, a scheme, or an origin. */
  blocked: string;
  /** Path of the page, in which ids and codes are `*`. */
  page: string;
  /**
   * Origin of the violation: a script of ours as path:line, '' for the page itself, otherwise an origin or
   * scheme; `*` if unreadable.
   */
  source: string;
}

/** Keeps only the words of a path: the number in `/classes/12/edit` becomes `*`. */
const wordsOf = (path: string) =>
  path
    .split('/')
    .map((part) => (/^[a-z][a-z-]{0,19}$/.test(part) || part === '' ? part : '*'))
    .join('/')
    .slice(0, 100);

/** Origin of an address; its scheme if it has no origin. Keywords such as `inline` stay. */
function originIn(text: string): string {
  if (/^[a-z-]{0,30}$/.test(text)) return text;
  if (!URL.canParse(text)) return '*';
  const { protocol, origin } = new URL(text);
  return /^https?:$/.test(protocol) ? origin : protocol.replace(':', '');
}

function toStoredReport(report: {
  page: string;
  directive: string;
  blocked: string;
  source: string;
  line: string;
}): PolicyReport {
  const [directive = ''] = report.directive.split(' ');
  const page = URL.canParse(report.page) ? new URL(report.page) : undefined;
  const source = URL.canParse(report.source) ? new URL(report.source) : undefined;
  const isOurs = source !== undefined && source.origin === page?.origin;
  // The source of an inline script is the page that contains it.
  const place = isOurs && source.pathname.startsWith('/static/') ? source.pathname.slice(0, 100) : undefined;
  const line = /^\d{1,7}$/.test(report.line) ? `:${report.line}` : '';
  return {
    directive: directives.includes(directive) ? directive : '*',
    blocked: originIn(report.blocked),
    page: page ? wordsOf(page.pathname) : '*',
    source: place ? `${place}${line}` : isOurs ? '' : originIn(report.source),
  };
}

/** Parses a body; undefined if it is no report. Leaves out reports of other types. */
function readPolicyReports(body: unknown): PolicyReport[] | undefined {
  const older = v.safeParse(Older, body);
  if (older.success) {
    const report = older.output['csp-report'];
    return [
      toStoredReport({
        page: String(report['document-uri']),
        directive: String(report['effective-directive'] || report['violated-directive']),
        blocked: String(report['blocked-uri']),
        source: String(report['source-file']),
        line: String(report['line-number']),
      }),
    ];
  }
  if (!Array.isArray(body)) return undefined;
  return body.slice(0, 20).flatMap((one) => {
    const newer = v.safeParse(Newer, one);
    if (!newer.success) return [];
    const { documentURL, effectiveDirective, blockedURL, sourceFile, lineNumber } = newer.output.body;
    return toStoredReport({
      page: String(documentURL),
      directive: String(effectiveDirective),
      blocked: String(blockedURL),
      source: String(sourceFile),
      line: String(lineNumber),
    });
  });
}

/** The kinds of reports (directive, blocked origin and page): how many since startup, and when each was last logged. */
const kinds = new Map<string, { count: number; logged: number }>();

/** Counts and logs a report. Returns its stored form: beyond `maxKinds` kinds all fields are `*`. */
function note(report: PolicyReport, now: number, log: Log): PolicyReport {
  count('policyReports', { directive: report.directive });
  const name = `${report.directive} ${report.blocked} ${report.page}`;
  const isTold = kinds.size < maxKinds || kinds.has(name);
  const kind = kinds.get(isTold ? name : '') ?? { count: 0, logged: 0 };
  kind.count += 1;
  const told = isTold ? report : { directive: '*', blocked: '*', page: '*', source: '' };
  if (now - kind.logged >= logInterval) {
    kind.logged = now;
    log.warn({ ...told, count: kind.count }, 'content security policy: a browser reports');
  }
  kinds.set(isTold ? name : '', kind);
  return told;
}

/**
 * Accepts reports by POST. `keep` stores a report for administrators; a report is accepted even if storing it fails.
 */
export function mountPolicyReports(
  api: ApiRouter,
  { now, log, keep }: { now: () => number; log: Log; keep: (report: PolicyReport) => Promise<void> },
): void {
  const limit = createLimit(reportsOfAddress);
  const small = bodyLimit({
    maxSize: largest,
    onError: () => refusalResponse(new Refusal('too-large', callMessages.tooLarge)),
  });
  api.post(policyReportsPath, small, async (context) => {
    const retryAfter = limit(context.req.header(clientAddressHeader) ?? '', performance.now());
    if (retryAfter !== undefined) return refusalResponse(new Refusal('too-many', '报告过多', { retryAfter }));
    const reports = readPolicyReports(await context.req.json().catch(() => undefined));
    if (!reports) return refusalResponse(new Refusal('malformed', '不是内容安全策略的报告'));
    for (const report of reports)
      await keep(note(report, now(), log)).catch((error: unknown) => log.warn({ err: error }, 'a report is not kept'));
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  });
}
