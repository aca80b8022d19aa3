/** Usage and parsing of the arguments of `npm run staff`. */

import {
  administrationPermissions,
  type Identity,
  identities,
  permissions,
  secondFactorRules,
} from '#server/platform/auth/rules.ts';
import {
  type Help,
  noCommand,
  type ParsedArguments,
  parseArguments,
  type WrongArgument,
} from '#server/platform/configuration/command-line.ts';
import type { Permission } from '#server/school/call.ts';
import { isSettingName, isSwitch, type SettingName, settingNames, storedSetting } from '#server/school/settings.ts';
import { schoolNameLimit } from '#server/schools/rules.ts';
import { policyLimits } from '#server/settings/rules.ts';
import type { Permissions } from './staff-accounts.ts';

export const usage = `Usage: npm run staff -- COMMAND

  add teacher|assist USERNAME NAME [--school NAME] [--dispatch] [--correct] [PASSWORD]
                                  add a lecturer or an assistant; NAME may be Chinese. A school that is not
                                  there yet is made; without --school it is the only one
  add admin USERNAME NAME [--school NAME] [--bound] [PASSWORD]
                                  add an administrator of all schools, or with --bound of that one, who may do
                                  all that administrators do
  password USERNAME [PASSWORD]    set a password and end the person's sign-ins
  grant USERNAME PERMISSION…      permissions: dispatch (publish homework), correct (grade it); of administrators
                                  people, teaching, exams, settings, audit
  revoke USERNAME PERMISSION…
  second-factor-off USERNAME      takes the second factor of somebody away who has lost it, and ends their sign-ins
  disable USERNAME                no signing in any more, from now on
  enable USERNAME
  list                            everybody
  token [add NAME | end NUMBER]   the tokens of the school's own applications, such as the learners': list them, make
                                  one (printed this once), or end one
  setting [NAME VALUE]            show the school's settings, or set one:
                                  ${settingNames.slice(0, 3).join(', ')},
                                  ${settingNames.slice(3, 7).join(', ')},
                                  ${settingNames.slice(7, 9).join(', ')} (the file of a picture, or ""),
                                  ${settingNames.slice(9, 13).join(', ')},
                                  ${settingNames.slice(13).join(', ')}

PASSWORD is --password TEXT, or --password-stdin to read a line from standard input;
without either one is made and printed, this once.
The database is DATABASE_URL, or school.db in VAR_DIR (default var).`;

export type PasswordSource = { from: 'argument'; password: string } | { from: 'input' } | { from: 'chance' };

export type StaffCommand =
  | { name: 'list' | 'settings' | 'tokens' }
  | { name: 'add token'; application: string }
  | { name: 'end token'; id: number }
  | {
      name: 'add';
      identity: Identity;
      username: string;
      realName: string;
      school?: string;
      permissions: Permissions;
      everySchool: boolean;
      password: PasswordSource;
    }
  | { name: 'password'; username: string; password: PasswordSource }
  | { name: 'grant' | 'revoke'; username: string; permissions: Permission[] }
  | { name: 'disable' | 'enable' | 'second-factor-off'; username: string }
  | { name: 'setting'; setting: SettingName; value: string }
  | { name: 'logo'; file: string };

const options = {
  school: { type: 'string' },
  dispatch: { type: 'boolean' },
  correct: { type: 'boolean' },
  bound: { type: 'boolean' },
  password: { type: 'string' },
  'password-stdin': { type: 'boolean' },
} as const;
type Options = ParsedArguments<typeof options>;

export const readStaffCommand = (args: string[]): StaffCommand | Help | WrongArgument =>
  parseArguments(args, options, commandOf);

function commandOf(values: Options, [name, ...rest]: string[]): StaffCommand | WrongArgument {
  const unfit = optionsUnfitFor(name ?? '', values);
  if (unfit.length > 0) return { wrong: `"${name}" takes no --${unfit[0]}.` };
  const password = passwordSource(values);
  if ('wrong' in password) return password;

  const [first, second, third] = rest.map((word) => word.trim());
  switch (name) {
    case 'add': {
      const identity = identities.find((one) => one === first);
      if (!identity) return { wrong: 'The identity is teacher, assist or admin.' };
      const isAdministrator = identity === 'admin';
      const unfitOption = (isAdministrator ? (['dispatch', 'correct'] as const) : (['bound'] as const)).find(
        (option) => values[option],
      );
      if (unfitOption) return { wrong: `"add ${identity}" takes no --${unfitOption}.` };
      if (!second || !third || rest.length > 3)
        return { wrong: 'Give a user name and a name (in quotes if it has spaces).' };
      if (!/^\S{1,100}$/.test(second)) return { wrong: 'A user name has no spaces and at most 100 characters.' };
      const school = values.school?.trim();
      if (school === '') return { wrong: 'The school needs a name.' };
      const granted: Permissions = isAdministrator
        ? Object.fromEntries(administrationPermissions.map((permission) => [permission, true]))
        : { dispatch: values.dispatch ?? false, correct: values.correct ?? false };
      const everySchool = isAdministrator && values.bound !== true;
      return {
        name,
        identity,
        username: second,
        realName: third,
        school,
        permissions: granted,
        everySchool,
        password,
      };
    }
    case 'password':
      return first && rest.length === 1 ? { name, username: first, password } : { wrong: 'Give one user name.' };
    case 'grant':
    case 'revoke': {
      const named = permissions.filter((permission) => rest.slice(1).includes(permission));
      if (!first || named.length === 0 || new Set(rest.slice(1)).size > named.length) {
        return { wrong: `Give a user name and some of ${permissions.join(', ')}.` };
      }
      return { name, username: first, permissions: named };
    }
    case 'disable':
    case 'enable':
    case 'second-factor-off':
      return first && rest.length === 1 ? { name, username: first } : { wrong: 'Give one user name.' };
    case 'list':
      return rest.length === 0 ? { name } : { wrong: '"list" takes nothing.' };
    case 'token':
      return tokenCommand(rest.map((word) => word.trim()));
    case 'setting': {
      if (rest.length === 0) return { name: 'settings' };
      if (first === undefined || !isSettingName(first)) return { wrong: `There is no setting "${first}".` };
      const written = rest.length > 2 ? undefined : second;
      if (first === 'school_logo')
        return written === undefined
          ? { wrong: 'Give the file of a picture, or "".' }
          : { name: 'logo', file: written };
      const value = written === undefined ? undefined : storedSetting(first, written);
      const wanted = expectedValue(first);
      return value === undefined ? { wrong: `The value of ${first} is ${wanted}.` } : { name, setting: first, value };
    }
    default:
      return name === undefined ? { wrong: 'Which command?' } : noCommand(name);
  }
}

function tokenCommand([verb, name, ...more]: string[]): StaffCommand | WrongArgument {
  if (verb === undefined) return { name: 'tokens' };
  if (verb === 'add' && name && more.length === 0) return { name: 'add token', application: name };
  if (verb === 'end' && /^\d{1,15}$/.test(name ?? '') && more.length === 0)
    return { name: 'end token', id: Number(name) };
  return { wrong: 'Give add and a name (in quotes if it has spaces), or end and the number of the list.' };
}

function optionsUnfitFor(name: string, values: Options): string[] {
  const fit: Record<string, string[]> = {
    add: Object.keys(options),
    password: ['password', 'password-stdin'],
  };
  return Object.keys(values).filter((option) => !(fit[name] ?? []).includes(option));
}

function passwordSource(values: Options): PasswordSource | WrongArgument {
  if (values.password !== undefined && values['password-stdin']) return { wrong: 'Give the password in one way only.' };
  if (values.password !== undefined) return { from: 'argument', password: values.password };
  return { from: values['password-stdin'] ? 'input' : 'chance' };
}

const wantedOf: Partial<Record<SettingName, string>> = {
  timezone: 'a time zone such as Asia/Shanghai',
  school_name: `a name of at most ${schoolNameLimit} characters`,
  second_factor: secondFactorRules.join(', '),
  bbb_secret: 'a text of at most 200 characters',
  password_sign_in: '"all": on a screen alone it is said whose password is left',
  emergency_staff: 'set on the screen 统一登录',
  site_address: 'https://, a host and no path, or ""',
};

function expectedValue(name: SettingName): string {
  if (isSwitch(name)) return 'on or off';
  const limits = Object.entries(policyLimits).find(([limited]) => limited === name)?.[1];
  return (
    wantedOf[name] ??
    (limits ? `a number from ${limits.least} to ${limits.most}` : 'an address that begins with https://, or ""')
  );
}
