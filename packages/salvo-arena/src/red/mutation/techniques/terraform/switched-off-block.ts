import { severalSpots, type WeakSpot } from '../../site/weak-spot.ts';
import type { Hidden, HidingPlace, Technique } from '../technique.ts';
import { isReference, switchableBlock } from './switches.ts';
import { environmentChoice } from './terraform-environment.ts';

/** The nested block, or the settings, that prevent the flaw are still in the code, but depend on the environment. */
export const switchedOffBlock: Technique = {
  id: 'switched_off_block',
  language: 'terraform',
  difficulty: 'hard',
  hide: (place) => {
    const found = switchableBlock(place);
    if (!found) return switchedSettings(place);
    const { address, on, off, write } = found;
    const code = environmentChoice(place);
    if (!code) return null;
    return {
      safe: { edits: [write(code(on, off, true))] },
      weak: { edits: [write(code(on, off, false))] },
      carriers: [{ address }],
    };
  },
};

function switchedSettings(place: HidingPlace): Hidden | null {
  const spots = settingsToSwitch(place);
  const code = environmentChoice(place);
  if (spots.length === 0 || !code) return null;
  const form = (isSafe: boolean) => ({
    edits: spots.flatMap(({ safe, insecure, write }) => write(code(safe ?? 'null', insecure, isSafe))),
  });
  return { safe: form(true), weak: form(false), carriers: [] };
}

/** Several settings, or one that refers to something: no weak value looks like a reference. */
function settingsToSwitch(place: HidingPlace): WeakSpot[] {
  const { project, plain, spot } = place;
  return spot && isReference(place) ? [spot] : severalSpots(project, plain);
}
