/**
 * A call of the API, declared once: routing, validation, permission, types, the screens' client and the
 * OpenAPI page all read this one declaration.
 *
 * This file and the contract.ts files also reach the browser: they import nothing but valibot.
 */
import type * as v from 'valibot';

/** Below which path the calls of each role stand; a product names its roles by it. */
export type Prefixes<Role extends string = string> = Readonly<Record<Role, string>>;

export type Schema = v.GenericSchema<unknown, unknown>;
type Out<S> = S extends Schema ? v.InferOutput<S> : undefined;
type In<S> = S extends Schema ? v.InferInput<S> : undefined;

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

/** What a declaration may say. `Path` differs by role where that of the call does. */
export interface Declaration<Path, Params, Query, Body, Answer, Upload, File> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: Path;
  /** One Chinese phrase for the API page. */
  title: string;
  /** What the API page says beside it. */
  description?: string;
  /** A GET that changes state, kept for older applications; the screens use POST. */
  alsoPost?: boolean;
  /** A GET that marks something as read by the caller; HEAD and prefetches are refused, as with `alsoPost`. */
  marksRead?: true;
  /** A POST that only reads, like the lists that take their filters in a body. */
  reads?: boolean;
  /** Reads so much that it may come from a streaming replica of the database, once that has what was written before. */
  fromReplica?: true;
  /** Name of a permission; one of several is enough. */
  needs?: string | readonly string[];
  /** Shows what there is about one person: each look at them leaves a row of history. */
  looks?: true;
  /** Schemas of path parameters that are not one id. A value that does not fit is 404, never 500. */
  params?: Params;
  query?: Query;
  body?: Body;
  /** Bytes of the body at most, where a call's bodies are larger than the usual 1 MB. */
  bodyLimit?: number;
  answer: Answer;
  /** The sentence of a success, shown as it is. */
  message?: string;
  /** Takes a form with files (multipart/form-data), which is streamed to the storage while it arrives. */
  upload?: Upload;
  /** Answers the bytes of a file instead of an envelope. */
  file?: File;
  /**
   * May also be made by who has not finished signing in: `proving` before they have given the code of their second
   * factor, `settling` once they are known, while they have to choose a password or to set such a factor up.
   */
  whileSigningIn?: 'proving' | 'settling';
  /** Its answer is shown once and kept nowhere: it takes no idempotency key, whose answers are kept. */
  secret?: true;
  /** What it may be asked with and what it then answers, for the API page. */
  example?: Example;
}

export interface Example {
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number>>;
  body?: object;
  /** The data of the answer; left out where it is the bytes of a file. */
  answer?: unknown;
}

export interface UploadDeclaration {
  /** Name of the form field of the file. */
  field: string;
  /** Bytes of one file. */
  fileBytes: number;
  /** Files in one form; default 1. */
  files?: number;
  /** Bytes of one ordinary field; default 1 MB. */
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
  /** Changes state: runs in one transaction and honours an idempotency key. */
  changes: boolean;
  /** Whose it is where its path does not name them; every role's where it is left out. */
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
export type QueryOf<C> = C extends Call<infer _P, infer _N, infer Query, infer _B, infer _A> ? Out<Query> : never;
export type BodyOf<C> = C extends Call<infer _P, infer _N, infer _Q, infer Body, infer _A> ? Out<Body> : never;
export type AnswerOf<C> = C extends Call<infer _P, infer _N, infer _Q, infer _B, infer Answer> ? Out<Answer> : never;

/** What is said of a call in place of `Yes` where it is declared with this, else in place of `No`. */
export type IfDeclared<C extends AnyCall, Name extends 'upload' | 'file', Yes, No> = [NonNullable<C[Name]>] extends [
  never,
]
  ? No
  : Yes;

type Optional<Key extends string, Value> = [Value] extends [undefined]
  ? { [K in Key]?: undefined }
  : { [K in Key]?: Value };

type RequestInput<Query, Body> = { filter?: undefined } & Optional<'query', In<Query>> &
  ([In<Body>] extends [undefined] ? { body?: undefined } : { body: In<Body> });
/** In place of the query or the body: what the call's own schema has read already, such as a list's address. */
type FilterInput<Query, Body> = {
  filter: Query extends Schema ? Out<Query> : Out<Body>;
  query?: undefined;
  body?: undefined;
};

/** What the screens' client is given for a call; path parameters as numbers, or text for lists of ids. */
export type RequestOf<C> =
  C extends Call<infer Path, infer _N, infer Query, infer Body, infer _A>
    ? ([Names<Path>] extends [never] ? { params?: undefined } : { params: { [N in Names<Path>]?: number | string } }) &
        (RequestInput<Query, Body> | FilterInput<Query, Body>) & {
          /** The same key twice is one request. */
          idempotencyKey?: string;
          /** What makes it the same where its body is made anew each time; else the body. */
          idempotencyContent?: string;
        }
    : never;

/**
 * Declares calls for these roles and permissions. Without `path` for a role, the call is 403 for it. A path that begins
 * with a slash stands outside the prefixes of the roles.
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
  declaration: Declaration<Path, Params, Query, Body, Answer, Upload, File> & Needs<Permission>,
) => Call<Path, Params, Query, Body, Answer, Upload, File> & Needs<Permission>;

type Needs<Permission extends string> = { needs?: Permission | readonly Permission[] };

/* @__NO_SIDE_EFFECTS__ */
export function declareCall<D extends Pick<AnyCall, 'method' | 'alsoPost' | 'reads'>>(
  declaration: D,
  roles?: readonly string[],
): D & Pick<AnyCall, 'changes' | 'roles'> {
  const changes = declaration.method === 'GET' ? declaration.alsoPost === true : declaration.reads !== true;
  return { ...declaration, changes, ...(roles && { roles }) };
}

/** Methods under which the call is answered. */
export const methodsOf = ({ method, alsoPost }: Pick<AnyCall, 'method' | 'alsoPost'>): string[] =>
  alsoPost ? [method, 'POST'] : [method];

/** Declares a call of every role. */
/* @__NO_SIDE_EFFECTS__ */
export const call: Declare<string, never> = (declaration) => declareCall(declaration);

/** Whether a call stands outside the prefixes (`/api/app/…`). */
export const isShared = (declared: AnyCall): boolean =>
  typeof declared.path === 'string' && declared.path.startsWith('/');

/** The whole path of a call for a role, or undefined where that role has none. */
export function addressIn(prefixes: Prefixes, declared: AnyCall, role: string): string | undefined {
  const path = pathFor(declared, role);
  return path === undefined || isShared(declared) ? path : `${prefixes[role]}/${path}`;
}

/** The path of a call for a role, without prefix, or undefined where that role has none. */
export function pathFor(declared: AnyCall, role: string): string | undefined {
  const { path, roles } = declared;
  if (typeof path !== 'string') return (path as Partial<Record<string, string>>)[role];
  return !roles || roles.includes(role) ? path : undefined;
}

/** Orders paths for the router, which takes the first that fits: at each place a word before a parameter. */
export function wordsBeforeParameters(one: string, other: string): number {
  const [kinds = '', others = ''] = [one, other].map((path) =>
    path.replace(/\/([^/])[^/]*/g, (_, first) => (first === ':' ? '1' : '0')),
  );
  return kinds < others ? -1 : kinds > others ? 1 : 0;
}

/** A path of the call, without prefix, whoever has it. */
export const anyPathOf = ({ path }: AnyCall): string =>
  typeof path === 'string' ? path : (Object.values(path as object)[0] as string);
