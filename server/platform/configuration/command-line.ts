/** The words of a command: how they are read, and how a command ends whose words ask for help or say nothing it knows. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** What options were given, by the names and types that a command declares. */
export type ParsedArguments<Declared extends Options> = ReturnType<
  typeof parseArgs<{ options: Declared; allowPositionals: true }>
>['values'];

export interface WrongArgument {
  /** Why the words were not understood, as a sentence. */
  wrong: string;
}
export interface Help {
  name: 'help';
}

/** Exit code of a command that was not understood. Done is 0, and what was refused 1. */
const notUnderstood = 2;

/** A first word that a command does not know. */
export const noCommand = (word: string): WrongArgument => ({ wrong: `There is no command "${word}".` });

/** Whether a word is the id of a record. */
export const isId = (word: string): boolean => /^[1-9]\d{0,15}$/.test(word);

/** Of the options and the words beside them `read` makes the command, or says what is wrong. `--help` needs no declaration. */
export function parseArguments<const Declared extends Options, Command>(
  args: string[],
  options: Declared,
  read: (values: ParsedArguments<Declared>, words: string[]) => Command | WrongArgument,
): Command | Help | WrongArgument {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    });
    const given = values as ParsedArguments<Declared> & { help?: boolean };
    return given.help ? { name: 'help' } : read(given, positionals);
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
}

/** Does a command, and answers its exit code; says how it is used where that was asked for, or it was not understood. */
export async function runCommandLine<Command extends object>(
  command: Command | Help | WrongArgument,
  usage: string,
  work: (command: Command) => Promise<number>,
): Promise<number> {
  if ('wrong' in command) {
    console.error(`${command.wrong}\n\n${usage}`);
    return notUnderstood;
  }
  if ('name' in command && command.name === 'help') {
    console.log(usage);
    return 0;
  }
  return work(command as Command);
}
