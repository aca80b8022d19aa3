/** What the environment says, as it is declared. */
import { type SettingName, settings } from './settings.mjs';

type Value<Name extends SettingName> = ReturnType<(typeof settings)[Name]['read']>;

/** What is in force in this process; the fallback where it is not given. Faults were told when the process began. */
export function setting<Name extends SettingName>(name: Name): Value<Name> {
  const { fallback, read } = settings[name];
  return read(process.env[name] || fallback) as Value<Name>;
}

/** Whether somebody has given it. */
export const isGiven = (name: SettingName): boolean => Boolean(process.env[name]);
