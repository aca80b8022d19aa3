import { HistoryFilter } from '#server/history/contract.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen } from '../lib/screen.ts';

export const historyScreen = screen('AdminHistory', '/admin/history', 'list');
export const historyList = listScreen(historyScreen, HistoryFilter);
