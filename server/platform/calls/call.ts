/**
 * Declares calls of the API. One declaration is read by routing, validation, permissions, types, the screens' client
 * and the OpenAPI page.
 *
 * This file and the contract.ts files also reach the browser, so they import nothing but valibot.
 */
import type * as v from 'valibot';

/** Path prefix of each role's calls, by the name of the role. */
export type Prefixes<Role extends string = string> = Readonly<Record<Role, string>>;

export type Schema = v.GenericSchema<unknown, unknown>;
type OutputOf<S> = S extends Schema ? v.InferOutput<S> : undefined;
type InputOf<S> = S extends Schema ? v.InferInput<S> : undefined;

export type ParamNames<P extends string> = P extends `${infer Head}/${infer Tail}`
  ? ParamNames<Head> | ParamNames<Tail>
  : P extends `:${infer Name}?`
    ? Name
    : P extends `:${infer Name}`
      ? Name
      : never;

type Names<Path> = Path extends string
  ? ParamNames<Path>
  : Path extends object
    ? ParamNames<Path[keyof Path] & string>
    : never;

/** Options of a declaration. `Path` may differ by role. */
export interface Declaration<Path, Params, Query, Body, Answer, Upload, File> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: Path;
  /** One Chinese phrase for the API page. */
  title: string;
  /** Longer text for the API page. */
  description?: string;
  /** True for a GET that changes state, kept for old clients; screens use POST. */
  alsoPost?: boolean;
  /** True for a GET that marks something as read by the user. HEAD and prefetches are refused, as with `alsoPost`. */
  marksRead?: true;
  /** True for a POST that only reads, such as a list whose filters are in the body. */
  reads?: boolean;
  /** True for a heavy read, which may use a read replica once that has caught up. */
  fromReplica?: true;
  /** Permission that the user needs; of several, one is enough. */
  needs?: string | readonly string[];
  /** True if the call shows personal data of one person: each access is recorded in the history. */
  looks?: true;
  /** Schemas of path parameters other than ids. An invalid value is answered 404. */
  params?: Params;
  query?: Query;
  body?: Body;
  /** Maximum bytes of the body; 1 MB by default. */
  bodyLimit?: number;
  answer: Answer;
  /** Success message, shown to the user. */
  message?: string;
  /** Accepts a multipart form with files, streamed to the storage while it arrives. */
  upload?: Upload;
  /** Present if the call answers with the bytes of a file instead of JSON. */
  file?: File;
  /**
   * Allows the call before sign-in is complete. `proving`: before the code of the second factor is checked. `settling`:
   * while a password must be changed or a second factor set up.
   */
  whileSigningIn?: 'proving' | 'settling';
  /**
   * True if the answer contains a secret that is shown once. The call then accepts no idempotency key, because the
   * answer would be stored with it.
   */
  secret?: true;
  /** Sample request and answer for the API page. */
  example?: Example;
}

export interface Example {
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number>>;
  body?: object;
  /** Sample of the response's data for the API page; omitted if the call returns a file. */
  answer?: unknown;
}

export interface UploadDeclaration {
  /** Form field of the file. */
  field: string;
  /** Maximum bytes of one file. */
  fileBytes: number;
  /** Maximum number of files in one form; 1 by default. */
  files?: number;
  /** Maximum bytes of one text field; 1 MB by default. */
  fieldBytes?: number;
}

export interface Call<
  Path = unknown,
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Answer = unknown,
  Upload = unknown,
  File = unknown,
> extends Declaration<Path, Params, Query, Body, Answer, Upload, File> {
  /** True if the call changes state: it runs in one transaction and honours an idempotency key. */
  changes: boolean;
  /** Roles that have the call, where `path` does not say so; all by default. */
  roles?: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: the one place where "a call of any shape" is meant.
export type AnyCall = Call<any, any, any, any, any, any, any>;

export type ParamsOf<C> =
  C extends Call<infer Path, infer Params, infer _Q, infer _B, infer _A>
    ? {
        [N in Names<Path>]: Params extends Record<N, infer S> ? (S extends Schema ? v.InferOutput<S> : number) : number;
      }
    : never;
export type QueryOf<C> = C extends Call<infer _P, infer _N, infer Query, infer _B, infer _A> ? OutputOf<Query> : never;
export type BodyOf<C> = C extends Call<infer _P, infer _N, infer _Q, infer Body, infer _A> ? OutputOf<Body> : never;
export type AnswerOf<C> =
  C extends Call<infer _P, infer _N, infer _Q, infer _B, infer Answer> ? OutputOf<Answer> : never;

/** Is the type `Yes` if the call declares `upload` or `file`, and `No` otherwise. */
export type IfDeclared<C extends AnyCall, Name extends 'upload' | 'file', Yes, No> = [NonNullable<C[Name]>] extends [
  never,
]
  ? No
  : Yes;

type Optional<Key extends string, Value> = [Value] extends [undefined]
  ? { [K in Key]?: undefined }
  : { [K in Key]?: Value };

type RequestInput<Query, Body> = { filter?: undefined } & Optional<'query', InputOf<Query>> &
  ([InputOf<Body>] extends [undefined] ? { body?: undefined } : { body: InputOf<Body> });
/** Query or body that the call's own schema has already parsed, such as the filter of a list. */
type FilterInput<Query, Body> = {
  filter: Query extends Schema ? OutputOf<Query> : OutputOf<Body>;
  query?: undefined;
  body?: undefined;
};

/** Arguments with which the screens' client makes a call. Path parameters are numbers, or text for lists of ids. */
export type RequestOf<C> =
  C extends Call<infer Path, infer _N, infer Query, infer Body, infer _A>
    ? ([Names<Path>] extends [never] ? { params?: undefined } : { params: { [N in Names<Path>]?: number | string } }) &
        (RequestInput<Query, Body> | FilterInput<Query, Body>) & {
          /** Requests with the same key run once. */
          idempotencyKey?: string;
          /**
           * Compared by the idempotency check instead of the body, if the body differs each time with the same content.
           */
          idempotencyContent?: string;
        }
    : never;

/**
 * Type of functions that declare calls for these roles and permissions. A role that `path` leaves out gets 403. A path
 * that starts with a slash is outside the roles' prefixes.
 */
export type Declare<Role extends string, Permission extends string> = <
  const Path extends string | Partial<Record<Role, string>>,
  const Params extends Record<string, Schema> | undefined = undefined,
  const Query extends Schema | undefined = undefined,
  const Body extends Schema | undefined = undefined,
  const Answer extends Schema = Schema,
  const Upload extends UploadDeclaration | undefined = undefined,
  const File extends true | undefined = undefined,
>(
  declaration: Declaration<Path, Params, Query, Body, Answer, Upload, File> & RequiredPermission<Permission>,
) => Call<Path, Params, Query, Body, Answer, Upload, File> & RequiredPermission<Permission>;

type RequiredPermission<Permission extends string> = { needs?: Permission | readonly Permission[] };

/* @__NO_SIDE_EFFECTS__ */
export function declareCall<D extends Pick<AnyCall, 'method' | 'alsoPost' | 'reads'>>(
  declaration: D,
  roles?: readonly string[],
): D & Pick<AnyCall, 'changes' | 'roles'> {
  const changes = declaration.method === 'GET' ? declaration.alsoPost === true : declaration.reads !== true;
  return { ...declaration, changes, ...(roles && { roles }) };
}

/** HTTP methods that the call accepts. */
export const methodsOf = ({ method, alsoPost }: Pick<AnyCall, 'method' | 'alsoPost'>): string[] =>
  alsoPost ? [method, 'POST'] : [method];

/** Declares a call for every role. */
/* @__NO_SIDE_EFFECTS__ */
export const call: Declare<string, never> = (declaration) => declareCall(declaration);

/** True if the call is outside the roles' prefixes (`/api/app/…`). */
export const isShared = (declared: AnyCall): boolean =>
  typeof declared.path === 'string' && declared.path.startsWith('/');

/** Full path of a call for a role; undefined if the role lacks it. */
export function fullPathFor(prefixes: Prefixes, declared: AnyCall, role: string): string | undefined {
  const path = pathFor(declared, role);
  return path === undefined || isShared(declared) ? path : `${prefixes[role]}/${path}`;
}

/** Path of a call for a role, without the prefix; undefined if the role does not have it. */
export function pathFor(declared: AnyCall, role: string): string | undefined {
  const { path, roles } = declared;
  if (typeof path !== 'string') return (path as Partial<Record<string, string>>)[role];
  return !roles || roles.includes(role) ? path : undefined;
}

/** Compares two paths for the router, which takes the first match: fixed words come before parameters. */
export function comparePaths(one: string, other: string): number {
  const [kinds = '', others = ''] = [one, other].map((path) =>
    path.replace(/\/([^/])[^/]*/g, (_, first) => (first === ':' ? '1' : '0')),
  );
  return kinds < others ? -1 : kinds > others ? 1 : 0;
}

/** Path of the call without prefix, for any one of the roles that have it. */
export const pathOfAnyRole = ({ path }: AnyCall): string =>
  typeof path === 'string' ? path : (Object.values(path as object)[0] as string);
