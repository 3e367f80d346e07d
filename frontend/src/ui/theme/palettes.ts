import type { MantineColorsTuple } from '@mantine/core';

/* ---------- palettes (Mantine requires the steps; use roles instead) ---------- */
export const river: MantineColorsTuple = [
  '#EFF9FD',
  '#D7F0FB',
  '#B5DFF3',
  '#87C8E5',
  '#52ABCF',
  '#258CB2',
  '#14779B',
  '#056585',
  '#025570',
  '#04465D',
];
export const red: MantineColorsTuple = [
  '#FFF3F2',
  '#FFE4E0',
  '#FDC9C3',
  '#F8A59C',
  '#ED756C',
  '#D94541',
  '#C4403B',
  '#B72D29',
  '#901E1F',
  '#721C1B',
];
export const amber: MantineColorsTuple = [
  '#FFF5E9',
  '#FFE7C7',
  '#FDCE95',
  '#EFB05C',
  '#D09033',
  '#AC731A',
  '#956108',
  '#8A560C',
  '#6E4600',
  '#593802',
];
export const green: MantineColorsTuple = [
  '#EFFAF2',
  '#D7F4E0',
  '#B3E6C4',
  '#87D1A3',
  '#5CB480',
  '#3B9463',
  '#2B7F52',
  '#247148',
  '#1A5E3A',
  '#164B2E',
];
export const gray: MantineColorsTuple = [
  '#FBFAF7',
  '#F4F3F0',
  '#EDEDEA',
  '#E4E3E1',
  '#CECECB',
  '#A5A4A2',
  '#7C8186',
  '#5F6469',
  '#3E4348',
  '#181C21',
];
export const dark: MantineColorsTuple = [
  '#E9EBEE',
  '#B4B8BC',
  '#91969B',
  '#6A6F76',
  '#3A3D41',
  '#262A2E',
  '#1B1E22',
  '#111416',
  '#0B0D0F',
  '#05080A',
];
