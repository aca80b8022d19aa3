/** Which of the processes of one `npm start` this is, and what they tell each other. */
import { argv } from 'node:process';

const given = /^--process=(\d+)$/;

/** How a process is told its number: by an argument. */
export const numberArgument = (number: number): string => `--process=${number}`;

/** From 1 on, the same for the one that takes the place of one that has ended; undefined where there is one process alone. */
export const processNumber: number | undefined = argv
  .map((one) => given.exec(one)?.[1])
  .map(Number)
  .find(Boolean);

interface Told {
  topic: string;
  value: number;
}

const isTold = (message: unknown): message is Told =>
  typeof message === 'object' && message !== null && 'topic' in message && 'value' in message;

/** The other processes of this start are told at once; nobody is where there is one alone. Who is just starting hears nothing. */
export function broadcast(topic: string, value: number): void {
  if (processNumber !== undefined) process.send?.({ topic, value } satisfies Told);
}

/** What others tell of a topic. */
export function onBroadcast(topic: string, hear: (value: number) => void): void {
  if (processNumber === undefined) return;
  process.on('message', (message) => {
    if (isTold(message) && message.topic === topic) hear(message.value);
  });
}
