import { describe, expect, it } from 'vitest';
import { logPath } from './log-path.js';

const LINK = 'short-secret';
const TOKEN = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF';

describe('the path of a request in the log', () => {
  it.each([
    `/reconnect/${LINK}`,
    `/api/v1/reconnect/${LINK}`,
    `/api/v1/badges/${LINK}.svg`,
    `/API/V1/Reconnect/${LINK}`,
    `//api//v1///reconnect//${LINK}`,
    `/api/v1/reconnect/${LINK}/start?x=1`,
    `/api/v1/%72econnec%54/${LINK}`,
    `/api/v1/reconnect%2F${LINK}`,
    `/api/v1/reconnect/${LINK}%ZZ`,
    `/api/v1/%ZZ/reconnect/${LINK}`,
  ])('does not show the secret of a share link: %s', (url) => {
    expect(logPath(url)).toContain('***');
    expect(logPath(url)).not.toContain('secret');
  });

  it('masks a long secret at any position', () => {
    expect(logPath(`/somewhere/${TOKEN}/else`)).toBe('/somewhere/***/else');
    expect(logPath(`/api/v1/invitations/x?token=${TOKEN}`)).toBe('/api/v1/invitations/x');
  });

  it('shows ids, the result page and the id of a push key', () => {
    for (const path of [
      '/api/v1/organizations/0192f0c1-7a5e-7c3a-9f1e-5b8f6a2d4c10/members/qV3dPzKJx9SgRk2mW7bT4nL6yHc1',
      '/reconnect/result',
      '/push/ab_cd-0123456789',
    ])
      expect(logPath(path)).toBe(path);
  });
});
