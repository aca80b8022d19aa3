/**
 * The API for the screens of its own process: the same admission, validation and handlers as over HTTP, without a
 * Request, a Response and JSON in between, which cost a page more than its queries, and with the person looked up once.
 * For calls that only read; those that change something, and files, go over `fetch`.
 */
import { describeMe } from '#server/platform/auth/me.ts';
import { type Actor, actorOf } from '#server/platform/auth/sign-in.ts';
import { patiently } from '#server/platform/db/patience.ts';
import { schoolSettings } from '#server/school/settings.ts';
import { type AnyCall, addressFor, isShared, type Role } from './call.ts';
import { type Envelope, success } from './envelope.ts';
import { type Asked, admit, envelopeOf, failed, type Handled, type House, readAsked } from './handle.ts';
import { isRefusal, missing, Refusal } from './outcome.ts';

/** What would stand in the address and the body. */
export interface LocalRequest {
  params: Record<string, string>;
  query: Record<string, string>;
  body: object | undefined;
}

/** The API as one page of one person uses it. Never rejects. */
export interface LocalApi {
  /** As `GET /api/auth/me`. */
  me(): Promise<Envelope | Refusal>;
  /** Undefined for a call that only `fetch` answers. */
  read(call: AnyCall, role: Role, asked: LocalRequest): Promise<Envelope | Refusal> | undefined;
}

/** Whether every parameter that the path needs is there. */
const isWhole = (path: string, params: Record<string, string>): boolean =>
  [...path.matchAll(/:(\w+)(\??)/g)].every(([, name = '', optional]) => optional !== '' || name in params);

const isReading = (call: AnyCall) => !call.changes && !call.upload && !call.file;

export function localApi(house: House, handled: readonly Handled[]) {
  const handledBy = new Map(handled.map((one) => [one.call, one]));

  return ({ authorization, requestId }: { authorization: string; requestId: string }): LocalApi => {
    let asking: Promise<Actor | undefined> | undefined;
    const person = () => {
      asking ??= actorOf(house.database.db, authorization, house.now());
      return asking;
    };
    const answered = async (asked: { method: string; path: string }, work: () => Promise<Envelope | Refusal>) => {
      try {
        return await patiently(work);
      } catch (error) {
        return failed(error, { ...asked, requestId }, house.log);
      }
    };
    const read = async ({ call, answer }: Handled, role: Role, asked: LocalRequest) => {
      const actor = admit(call, await person(), isShared(call) ? undefined : role);
      if (isRefusal(actor)) return actor;
      // An address without the id, which over HTTP is no address of the call.
      if (!isWhole(addressFor(call, role) ?? '', asked.params)) return missing();
      const request = readAsked(call, asked);
      if (isRefusal(request)) return request;
      const { database, storage, log } = house;
      const now = house.now();
      const settings = await schoolSettings(database.db, now);
      const given = { actor, now, settings, storage, log, db: database.db, ...request };
      const outcome = await answer(given as unknown as Asked<AnyCall>);
      return isRefusal(outcome) ? outcome : envelopeOf(house, call, outcome);
    };
    return {
      me: () =>
        answered({ method: 'GET', path: 'me' }, async () => {
          const actor = await person();
          return actor ? success(await describeMe(house, actor)) : new Refusal('signed-out', '请先登录');
        }),
      read(call, role, asked) {
        const one = handledBy.get(call);
        if (!one || !isReading(call)) return undefined;
        return answered({ method: call.method, path: addressFor(call, role) ?? '' }, () => read(one, role, asked));
      },
    };
  };
}
