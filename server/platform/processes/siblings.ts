/** The server processes that one `npm start` runs: their numbers, and messages between them. */
import { argv } from 'node:process';

const given = /^--process=(\d+)$/;

/** Command line argument that gives a process its number. */
export const numberArgument = (number: number): string => `--process=${number}`;

/**
 * Number of this process, from 1; a process that replaces it keeps the number. Undefined if there is only one process.
 */
export const processNumber: number | undefined = argv
  .map((one) => given.exec(one)?.[1])
  .map(Number)
  .find(Boolean);

interface BroadcastMessage {
  topic: string;
  value: number;
}

const isBroadcastMessage = (message: unknown): message is BroadcastMessage =>
  typeof message === 'object' && message !== null && 'topic' in message && 'value' in message;

/**
 * Sends a value to the other processes; does nothing if there is only one. A process that is just starting may miss it.
 */
export function broadcast(topic: string, value: number): void {
  if (processNumber !== undefined) process.send?.({ topic, value } satisfies BroadcastMessage);
}

/** Listens to broadcasts of a topic. */
export function onBroadcast(topic: string, hear: (value: number) => void): void {
  if (processNumber === undefined) return;
  process.on('message', (message) => {
    if (isBroadcastMessage(message) && message.topic === topic) hear(message.value);
  });
}
