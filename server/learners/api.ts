/** Binds administrators' calls for application tokens, webhooks and first passwords of learners. */
import { schoolChoices } from '#server/school/admin-schools.ts';
import { handle } from '#server/school/context.ts';
import { giveFirstPasswords, learnerPasswords } from './first-passwords.ts';
import { giveLearnerPasswords, listLearnerPasswords } from './passwords.contract.ts';
import {
  addToken,
  endToken,
  endWebhook,
  listTokens,
  replayWebhook,
  setWebhook,
  showToken,
  showWebhook,
  tokenSchools,
} from './tokens.contract.ts';
import { createToken, endAccess, tokenOf, tokenPage } from './tokens.ts';
import { removeWebhook, replayEvents, saveWebhook, webhookOf } from './webhooks.ts';

export const tokenCalls = [
  handle(listTokens, ({ query, ...context }) => tokenPage(context, query)),
  handle(tokenSchools, ({ db, actor }) => schoolChoices(db, actor)),
  handle(showToken, ({ params, ...context }) => tokenOf(context, params.id)),
  handle(addToken, ({ body, ...context }) => createToken(context, body)),
  handle(endToken, ({ params, ...context }) => endAccess(context, params.id)),
  handle(showWebhook, ({ params, ...context }) => webhookOf(context, params.id)),
  handle(setWebhook, ({ params, body, ...context }) => saveWebhook(context, params.id, body)),
  handle(endWebhook, ({ params, ...context }) => removeWebhook(context, params.id)),
  handle(replayWebhook, ({ params, body, ...context }) => replayEvents(context, params.id, body.since)),
];

export const learnerPasswordCalls = [
  handle(listLearnerPasswords, ({ query, ...context }) => learnerPasswords(context, query)),
  handle(giveLearnerPasswords, { prepare: ({ body, ...context }) => giveFirstPasswords(context, body) }),
];
