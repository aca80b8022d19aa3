import { handle } from '#server/http/handle.ts';
import { correctionQuantity, listCorrections } from './contract.ts';
import { correctionPage, correctionsWaiting } from './list.ts';

export const correctionCalls = [
  handle(listCorrections, ({ db, actor, body, settings }) => correctionPage(db, actor, body, settings.timezone)),
  handle(correctionQuantity, async ({ db, actor }) => ({ quantity: await correctionsWaiting(db, actor) })),
];
