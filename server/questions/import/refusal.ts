/** Refusals of a file of questions, with a message for each fault. */
import { invalid, Refusal } from '#server/platform/calls/outcome.ts';
import type { ImportNote } from '../import.contract.ts';
import { importMessages } from '../import.rules.ts';
import type { ImportPreview } from './imported-question.ts';

/** Maximum number of messages of a refused file. */
const maxMessages = 200;

export const refusalWithoutFile = () => invalid({ file: [importMessages.noFile] });

export function refusalOfFile(messages: string[], kind: 'invalid' | 'wrong-type' = 'invalid'): Refusal {
  const shown = messages.slice(0, maxMessages);
  if (messages.length > maxMessages) shown.push(`共 ${messages.length} 处错误，以上是前 ${maxMessages} 处`);
  return new Refusal(kind, importMessages.failed, {
    err: shown,
    errors: { file: [importMessages.failed] },
  });
}

export const noteText = ({ where, message }: ImportNote): string => `${where}：${message}`;

export const faultTexts = ({ errors, questions }: ImportPreview): string[] =>
  [...errors, ...questions.flatMap((question) => question.errors)].map(noteText);
