import { importTemplate } from '#server/questions/import.contract.ts';
import { api } from '../api/client.server.ts';
import type { Route } from './+types/template';
import { questionTemplate } from './screens.ts';

export function loader({ request, context, url }: Route.LoaderArgs) {
  return context.get(api).file(importTemplate, { params: questionTemplate.at(url), from: request });
}
