/** Sets up an empty school: names it, sets its time zone and adds the first administrator. */
import { bodyLimit } from 'hono/body-limit';
import * as v from 'valibot';
import { hashPassword } from '#server/platform/auth/password.ts';
import { administrationPermissions } from '#server/platform/auth/rules.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import type { ApiRouter } from '#server/platform/calls/answer.ts';
import { clientAddressHeader } from '#server/platform/calls/client-address.ts';
import { envelopeResponse, refusalResponse, success } from '#server/platform/calls/envelope.ts';
import { invalid, isRefusal, missing, Refusal } from '#server/platform/calls/outcome.ts';
import { callMessages } from '#server/platform/calls/rules.ts';
import { inTransaction } from '#server/platform/calls/transaction.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Services } from '#server/school/context.ts';
import { storedSetting, storeSetting } from '#server/school/settings.ts';
import { claimSetupAddress, isSetupCode, removeSetupAddress } from '#server/school/setup-address.ts';
import { missingSetup, setupMessages } from './rules.ts';
import { CompleteSetup, WrittenSetup } from './setup.contract.ts';
import type { SignedIn } from './sign-in.contract.ts';
import { addStaff } from './staff-accounts.ts';

const path = '/api/setup/:code';

export function mountSetup(api: ApiRouter, { database: { db }, now }: Services): void {
  const small = bodyLimit({
    maxSize: 16 * 1024,
    onError: () => refusalResponse(new Refusal('too-large', callMessages.tooLarge)),
  });
  const gone = () => refusalResponse(missing(missingSetup));

  api.get(path, async (context) =>
    (await isSetupCode(db, context.req.param('code'), now())) ? envelopeResponse(success(null)) : gone(),
  );

  api.post(path, small, async (context) => {
    if (!(await isSetupCode(db, context.req.param('code'), now()))) return gone();
    const sent: unknown = await context.req.json().catch(() => ({}));
    const written = v.safeParse(WrittenSetup, sent);
    const { output, errors } = validateComplete(
      CompleteSetup,
      written.success ? written.output : v.parse(WrittenSetup, {}),
    );
    const timezone = output && storedSetting('timezone', output.timezone);
    if (!output || timezone === undefined)
      return refusalResponse(invalid(output ? { timezone: [setupMessages.timezone] } : errors));
    const { school_name, username, real_name } = output;
    const passwordHash = await hashPassword(output.password);
    const added = await inTransaction(db, async (trx) => {
      if (!(await claimSetupAddress(trx))) return missing(missingSetup);
      await storeSetting(trx, 'school_name', school_name);
      await storeSetting(trx, 'timezone', timezone);
      const permissions = Object.fromEntries(administrationPermissions.map((permission) => [permission, true]));
      const person = { identity: 'admin', username, name: real_name, school: school_name, everySchool: true } as const;
      const id = await addStaff(trx, { ...person, permissions, passwordHash }, now());
      return id === 'taken' ? missing(missingSetup) : id;
    });
    if (isRefusal(added)) return refusalResponse(added);
    removeSetupAddress();
    const token = await issueToken(db, added, {
      device: context.req.header('user-agent') ?? '',
      address: context.req.header(clientAddressHeader) ?? '',
      now: now(),
    });
    const signedIn: SignedIn = {
      token,
      identity: 'admin',
      permissions: [...administrationPermissions],
      awaits_code: 0,
    };
    return envelopeResponse(success(signedIn, '学校已设置完成'));
  });
}
