/** Parses command line arguments, prints help and usage errors, sets exit codes. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Parsed options of a command, typed by its declaration. */
export type ParsedArguments<Declared extends Options> = ReturnType<
  typeof parseArgs<{ options: Declared; allowPositionals: true }>
>['values'];

export interface WrongArgument {
  /** Usage error, as a sentence. */
  wrong: string;
}
export interface Help {
  name: 'help';
}

/** Exit code for a usage error; success is 0, a refusal 1. */
const notUnderstood = 2;

/** Usage error for an unknown subcommand. */
export const noCommand = (word: string): WrongArgument => ({ wrong: `There is no command "${word}".` });

/** True for a record id. */
export const isId = (word: string): boolean => /^[1-9]\d{0,15}$/.test(word);

/**
 * Parses the arguments. `read` converts options and positional words to the command, or returns a usage error. `--help`
 * is built in.
 */
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

/** Runs a command and returns its exit code. Prints the usage for help and usage errors. */
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
