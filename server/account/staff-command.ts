/** `npm run staff -- …`: adds staff, sets passwords, permissions and settings. */

import { createInterface } from 'node:readline/promises';
import { hashPassword } from '#server/platform/auth/password.ts';
import { type Identity, permissions, permissionsFor } from '#server/platform/auth/rules.ts';
import { issueServiceToken, listServiceTokens, revokeServiceToken } from '#server/platform/auth/service-token.ts';
import { runCommandLine } from '#server/platform/configuration/command-line.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { encodeLogo } from '#server/platform/files/image.ts';
import { wallClock } from '#server/school/calendar.ts';
import type { Permission } from '#server/school/call.ts';
import { exitCodeOf, runOnDatabase } from '#server/school/command-line.ts';
import { isSwitch, schoolPolicy, schoolSettings, storeSetting } from '#server/school/settings.ts';
import { generatedPassword } from './generated-password.ts';
import { unrecoverablePermissions } from './last-administrator.ts';
import { passwordFault } from './rules.ts';
import { removeSecondFactor } from './second-factor.ts';
import {
  addStaff,
  findStaff,
  listSchools,
  listStaff,
  type Permissions,
  setDisabled,
  setPassword,
  setPermissions,
} from './staff-accounts.ts';
import { type PasswordSource, readStaffCommand, type StaffCommand, usage } from './staff-arguments.ts';

export interface StaffOutcome {
  /** Exit code: 0 done, 1 refused. */
  code: 0 | 1;
  lines: string[];
}
const succeed = (...lines: string[]): StaffOutcome => ({ code: 0, lines });
const refuse = (line: string): StaffOutcome => ({ code: 1, lines: [line] });

/** Runs a command. `readLine` reads a line of standard input; `now` in unix seconds. */
export async function runStaffCommand(
  db: Database,
  command: StaffCommand,
  { now, readLine }: { now: number; readLine: () => Promise<string> },
): Promise<StaffOutcome> {
  switch (command.name) {
    case 'list':
      return succeed(...(await staffLines(db)));
    case 'settings':
      return succeed(
        ...Object.entries({ ...(await schoolSettings(db, now)), ...(await schoolPolicy(db, now)) }).map(
          ([name, value]) => `${name}\t${name === 'bbb_secret' && value ? 'set' : valueShown(value)}`,
        ),
      );
    case 'setting':
      await storeSetting(db, command.setting, command.value);
      return succeed(
        `${command.setting} is ${isSwitch(command.setting) ? valueShown(command.value === '1') : command.value || 'the default'} now.`,
      );
    case 'logo': {
      const made = command.file ? await readLogo(command.file) : '';
      if (made === undefined) return refuse(`${command.file} is no picture.`);
      await storeSetting(db, 'school_logo', made);
      return succeed(made ? 'school_logo is set now.' : 'school_logo is the sign of the product now.');
    }
    case 'tokens':
      return succeed(...(await tokenLines(db)));
    case 'add token': {
      const { id, token } = await issueServiceToken(db, { name: command.application, now });
      return succeed(`Token ${id} of ${command.application}: ${token}`);
    }
    case 'end token':
      return (await revokeServiceToken(db, command.id, now))
        ? succeed(`Token ${command.id} is ended.`)
        : refuse(`There is no token ${command.id} in use.`);
    case 'add':
      return add(db, command, { now, readLine });
    default: {
      const person = await findStaff(db, command.username);
      if (!person) return refuse(`Nobody has the user name "${command.username}".`);
      return change(db, person, command, { now, readLine });
    }
  }
}

async function add(
  db: Database,
  command: Extract<StaffCommand, { name: 'add' }>,
  { now, readLine }: { now: number; readLine: () => Promise<string> },
): Promise<StaffOutcome> {
  const schools = await listSchools(db);
  const school = command.school ?? (schools.length === 1 ? schools[0]?.org_name : undefined);
  if (!school) {
    const names = schools.map((one) => one.org_name).join(', ');
    return refuse(names ? `Name the school by --school: ${names}.` : 'There is no school yet: name it by --school.');
  }
  const password = await passwordFrom(command.password, readLine);
  if (passwordFault(password)) return refuse(unfitPassword);
  const { identity, username, permissions, everySchool } = command;
  const passwordHash = await hashPassword(password);
  const person = { identity, username, name: command.realName, school, permissions, everySchool, passwordHash };
  const id = await addStaff(db, person, now);
  if (id === 'taken') return refuse(`Someone has the user name "${username}" already.`);
  const made = command.password.from === 'chance' ? ` Password: ${password}` : '';
  return succeed(
    `Added ${identityNames[identity]} ${command.realName} (${username}) of ${school}, ${permissionsShown(permissions)}.${made}`,
  );
}

type PersonalCommand = Extract<
  StaffCommand,
  { name: 'password' | 'grant' | 'revoke' | 'disable' | 'enable' | 'second-factor-off' }
>;

async function change(
  db: Database,
  person: NonNullable<Awaited<ReturnType<typeof findStaff>>>,
  command: PersonalCommand,
  { now, readLine }: { now: number; readLine: () => Promise<string> },
): Promise<StaffOutcome> {
  const who = `${person.name} (${person.username})`;
  switch (command.name) {
    case 'password': {
      const password = await passwordFrom(command.password, readLine);
      if (passwordFault(password)) return refuse(unfitPassword);
      const ended = await setPassword(db, person.id, await hashPassword(password), now);
      const made = command.password.from === 'chance' ? ` Password: ${password}` : '';
      return succeed(`${who} has a new password; ${ended} sign-in${ended === 1 ? '' : 's'} ended.${made}`);
    }
    case 'grant':
    case 'revoke': {
      const isGrant = command.name === 'grant';
      const left = isGrant ? undefined : await refuseLast(db, person, command.permissions);
      if (left) return left;
      const unfit = command.permissions.find((permission) => !permissionsFor(person.identity).includes(permission));
      if (unfit) return refuse(`${who} is ${identityNames[person.identity]} and has no use for ${unfit}.`);
      const before = await setPermissions(db, person.id, {
        action: command.name,
        permissions: command.permissions,
        now,
      });
      const changed = command.permissions.some((permission) => before[permission] !== isGrant);
      const after = {
        ...before,
        ...Object.fromEntries(command.permissions.map((permission) => [permission, isGrant])),
      };
      return succeed(`${who} has ${changed ? 'now' : 'as before'}: ${permissionsShown(after)}.`);
    }
    case 'second-factor-off': {
      if (!person.hasSecondFactor) return succeed(`${who} has no second factor.`);
      await removeSecondFactor(db, person.id, { actor: null, now });
      return succeed(`${who} has no second factor any more and is signed out everywhere.`);
    }
    case 'disable':
    case 'enable': {
      const isDisabled = command.name === 'disable';
      if (person.isDisabled === isDisabled) return succeed(`${who} is ${command.name}d already.`);
      const left = isDisabled ? await refuseLast(db, person, permissions) : undefined;
      if (left) return left;
      await setDisabled(db, person.id, isDisabled, now);
      return succeed(`${who} is ${command.name}d${isDisabled ? ' and signed out everywhere' : ''}.`);
    }
  }
}

/** Refuses a change after which nobody could grant one of the permissions any more. */
async function refuseLast(
  db: Database,
  person: NonNullable<Awaited<ReturnType<typeof findStaff>>>,
  taken: readonly Permission[],
): Promise<StaffOutcome | undefined> {
  if (person.identity !== 'admin' || !person.everySchool || person.isDisabled) return undefined;
  const held = permissions.filter((permission) => person.permissions[permission]);
  const kept = held.filter((permission) => !taken.includes(permission));
  const last = await unrecoverablePermissions(db, { id: person.id, permissions: held }, kept);
  if (last.length === 0) return undefined;
  return refuse(
    `${person.name} (${person.username}) is the last administrator of all schools for ${last.join(', ')}. Add another first: npm run staff -- add admin USERNAME NAME`,
  );
}

async function staffLines(db: Database): Promise<string[]> {
  const people = await listStaff(db);
  if (people.length === 0) return ['There is nobody yet.'];
  return people.map((person) =>
    [
      person.username,
      identityNames[person.identity],
      person.name,
      person.school,
      permissionsShown(person.permissions),
      ...(person.isDisabled ? ['disabled'] : []),
    ].join('\t'),
  );
}

async function tokenLines(db: Database): Promise<string[]> {
  const tokens = await listServiceTokens(db);
  if (tokens.length === 0) return ['There is no token.'];
  const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
  return tokens.map(({ id, name, createdAt, usedAt }) =>
    [id, name, `made ${day(createdAt)}`, usedAt === null ? 'never used' : `used ${day(usedAt)}`].join('\t'),
  );
}

const identityNames: Record<Identity, string> = { teacher: 'lecturer', assist: 'assistant', admin: 'administrator' };
const unfitPassword = 'A password has 6 to 18 characters, with two of digits, lower case and upper case letters.';
const valueShown = (value: string | number | boolean) =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);

/** Reads a logo from `file` and encodes it anew for storage; undefined if the file is no picture. */
async function readLogo(file: string): Promise<string | undefined> {
  const made = await encodeLogo(file);
  return 'ok' in made ? Buffer.from(made.ok).toString('base64') : undefined;
}

function permissionsShown(held: Permissions): string {
  const granted = permissions.filter((permission) => held[permission]);
  const last = granted.at(-1);
  if (last === undefined) return 'no permission';
  const does = granted.some((permission) => permissionsFor('admin').includes(permission)) ? 'looks after' : 'may';
  return `${does} ${granted.length > 1 ? `${granted.slice(0, -1).join(', ')} and ${last}` : last}`;
}

async function passwordFrom(source: PasswordSource, readLine: () => Promise<string>): Promise<string> {
  if (source.from === 'argument') return source.password;
  return source.from === 'input' ? readLine() : generatedPassword();
}

async function lineOfInput(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
}

const main = (args: string[]): Promise<number> =>
  runCommandLine(readStaffCommand(args), usage, (command) =>
    runOnDatabase(async ({ db }) => {
      const { code, lines } = await runStaffCommand(db, command, { now: wallClock(), readLine: lineOfInput });
      for (const line of lines) (code === 0 ? console.log : console.error)(line);
      return code;
    }),
  );

if (import.meta.main) {
  process.exitCode = await exitCodeOf(main(process.argv.slice(2)));
}
