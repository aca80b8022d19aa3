import { examImportTemplate } from '#server/exams/composing.contract.ts';
import { api } from '../../api/client.server.ts';
import { examTemplate } from '../screens.ts';
import type { Route } from './+types/template';

export function loader({ request, context, url }: Route.LoaderArgs) {
  return context.get(api).file(examImportTemplate, { params: examTemplate.at(url), from: request });
}
