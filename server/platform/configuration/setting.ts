import { type SettingName, settings } from './settings.mjs';

type Value<Name extends SettingName> = ReturnType<(typeof settings)[Name]['read']>;

/** Returns the value of a setting, or its default. Values were validated when the process started. */
export function setting<Name extends SettingName>(name: Name): Value<Name> {
  const { fallback, read } = settings[name];
  return read(process.env[name] || fallback) as Value<Name>;
}

/** True if the setting is set. */
export const isSettingSet = (name: SettingName): boolean => Boolean(process.env[name]);
