import { handle } from '#server/school/context.ts';
import { showSystem } from './contract.ts';
import { systemState } from './state.ts';

export const systemCalls = [handle(showSystem, systemState)];
