/**
 * Faults of workers, databases, networks and platforms while all nine pairs run, with every row compared after each round. Exits with 1
 * if a target is missed. Settings: SEED, FAULTS, MINUTES, RECOVERY_SECONDS, ROUND (only rounds of this name), SOURCES (only these, such as
 * google_ads,meta_ads), WORKERS; PLANT_LOSS=true deletes a loaded row before the first comparison.
 */
import { randomInt } from 'node:crypto';
import { loadavg } from 'node:os';
import { randomOf } from '../test/user-actions.js';
import { connectPairs } from './connect-pairs.js';
import * as injections from './injections.js';
import { sources } from './pairs.js';
import { printReport, TARGET_SECONDS } from './report.js';
import { performRound, type RoundResult } from './round.js';
import type { Scene } from './scene.js';
import { printSlowest } from './slow-recovery.js';
import { startScene } from './start-scene.js';

const seed = Number(process.env['SEED'] ?? randomInt(1_000_000));
const wantedFaults = Number(process.env['FAULTS'] ?? 1_000);
const limitMs = Number(process.env['MINUTES'] ?? 15) * 60_000;
/** Rounds repeat in this order. Most faults come from the kinds from which a run recovers in seconds. */
const ROUNDS = [
  ['workers', injections.loseWorkers],
  ['commits', injections.cutOwnDatabase],
  ['platforms', injections.disturbPlatforms],
  ['warehouse', injections.cutWarehouse],
  ['restart', injections.restartDatabase],
  ['platforms', injections.disturbPlatforms],
  ['commits', injections.cutOwnDatabase],
  ['platforms', injections.disturbPlatforms],
  ['commits', injections.cutOwnDatabase],
  ['commits', injections.cutOwnDatabase],
] as const;

const onlyRound = process.env['ROUND'];
const onlySources = process.env['SOURCES']?.split(',');
const chosenSources = sources.filter(({ provider }) => onlySources?.includes(provider) ?? true);
const rounds = ROUNDS.filter(([name]) => !onlyRound || name === onlyRound);
/** Few faults are spread over all rounds. */
const mostOfRound = Math.max(2, Math.ceil(wantedFaults / 5));

if (rounds.length === 0)
  throw new Error(`unknown round ${onlyRound}. Choose from ${[...new Set(ROUNDS.map(([name]) => name))].join(', ')}`);

if (chosenSources.length === 0)
  throw new Error(`unknown sources. Choose from ${sources.map(({ provider }) => provider).join(', ')}`);

const startedAt = Date.now();
const results: RoundResult[] = [];
const faults = () => results.reduce((sum, { recoveries }) => sum + recoveries.length, 0);
const random = randomOf(seed);

async function plantLoss({ queryWarehouse }: Scene): Promise<void> {
  await queryWarehouse(
    `delete from google_ads_campaign_daily where ctid = (
       select ctid from google_ads_campaign_daily where date < current_date - 3 order by date, campaign_id limit 1)`,
  );
}

async function drill(scene: Scene): Promise<void> {
  const pairs = await connectPairs(scene, chosenSources);
  const isQuiet = () => Promise.resolve();
  await performRound(scene, pairs, isQuiet, { random, most: 0 });
  console.log(`SEED=${seed}: ${pairs.length} pairs are loaded after ${Math.round((Date.now() - startedAt) / 1_000)} s`);
  for (let index = 0; faults() < wantedFaults && Date.now() - startedAt < limitMs; index++) {
    const [name, inject] = rounds[index % rounds.length] as (typeof ROUNDS)[number];
    const roundAt = Date.now();
    const isPlanted = index === 0 && process.env['PLANT_LOSS'] === 'true';
    const beforeComparison = isPlanted ? () => plantLoss(scene) : undefined;
    const round = await performRound(scene, pairs, inject, {
      random,
      most: Math.min(mostOfRound, wantedFaults - faults()),
      beforeComparison,
    });
    results.push(round);
    const seconds = ((Date.now() - roundAt) / 1_000).toFixed(1);
    const wrong = round.differences.length + round.stuck.length;
    console.log(`${index + 1}. ${name}: ${round.recoveries.length} faults, ${seconds} s${wrong > 0 ? `, ${wrong} WRONG` : ''}`);
    if (round.recoveries.some((recovery) => recovery.seconds > TARGET_SECONDS))
      await printSlowest(scene, pairs, new Date(roundAt));
  }
}

const scene = await startScene();
const stopEarly = () => void scene.stop().finally(() => process.exit(1));
process.once('SIGINT', stopEarly).once('SIGTERM', stopEarly);
try {
  await drill(scene);
} finally {
  await scene.stop();
}
const [load = 0] = loadavg();
console.log(`SEED=${seed}, load ${load.toFixed(1)}\n`);
process.exitCode = printReport({ rounds: results, wantedFaults, seconds: (Date.now() - startedAt) / 1_000 }) ? 0 : 1;
