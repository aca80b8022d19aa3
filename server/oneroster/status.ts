/** Error answers of OneRoster: the body that the standard demands, with a description for logs. */
import { accessMessages } from '#server/school/rules.ts';

export type CodeMinor =
  | 'invaliddata'
  | 'invalid_filter_field'
  | 'invalid_selection_field'
  | 'unauthorisedrequest'
  | 'forbidden'
  | 'unknownobject'
  | 'unsupported'
  | 'server_busy'
  | 'internal_server_error';

const statusOf: Record<CodeMinor, number> = {
  invaliddata: 400,
  invalid_filter_field: 400,
  invalid_selection_field: 400,
  unauthorisedrequest: 401,
  forbidden: 403,
  unknownobject: 404,
  unsupported: 405,
  server_busy: 429,
  internal_server_error: 500,
};

/** A refusal that functions return. Bugs are thrown as errors instead. */
export class RosterRefusal {
  readonly code: CodeMinor;
  readonly description: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;

  constructor(
    code: CodeMinor,
    description: string,
    { headers = {}, status = statusOf[code] }: { headers?: Readonly<Record<string, string>>; status?: number } = {},
  ) {
    this.code = code;
    this.description = description;
    this.headers = headers;
    this.status = status;
  }
}

export const unknownObject = (): RosterRefusal => new RosterRefusal('unknownobject', '没有该记录');

export const tooManyRequests = (seconds: number): RosterRefusal =>
  new RosterRefusal('server_busy', accessMessages.tooMany, { headers: { 'retry-after': String(seconds) } });

export const faultResponse = ({ code, description, headers, status }: RosterRefusal): Response =>
  Response.json(
    {
      imsx_codeMajor: code === 'unsupported' ? 'unsupported' : 'failure',
      imsx_severity: 'error',
      imsx_description: description,
      imsx_CodeMinor: {
        imsx_codeMinorField: [{ imsx_codeMinorFieldName: 'TargetEndSystem', imsx_codeMinorFieldValue: code }],
      },
    },
    { status, headers: { ...headers, 'cache-control': 'no-store' } },
  );
