/** Saving from the living grading screen of homework. */
import { storeSame, undoSame } from '#server/correction/contract.ts';
import type { Route } from './+types/save';
import { homeworkCalls } from './homework-calls.server.ts';
import { saveByScript } from './save-route.server.ts';

export const action = ({ request, context }: Route.ActionArgs) =>
  saveByScript(
    homeworkCalls,
    { request, context },
    {
      same: (client, sent) => client.ask(storeSame, { body: sent }),
      undo: (client, sent) => client.ask(undoSame, { body: sent }),
    },
  );
