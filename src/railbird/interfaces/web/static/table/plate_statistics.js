/* How the others have played lately, on their plates, where the viewer wants to see it. */

import { make, unseen } from "../page/elements.js";
import { remember, remembered } from "../page/preferences.js";

/** Whether the viewer wants to see statistics; where several people play, the host decides for all. */
export function showsStatistics(view) {
  return Boolean(view.together) || remembered("statistics", "hidden") === "shown";
}

/** Show or hide statistics from now on. */
export function chooseStatistics(shown) {
  remember("statistics", shown ? "shown" : "hidden");
}

/** The line of a chair: VPIP / PFR / aggression; null until enough hands were seen. */
export function drawStatistics({ name }, view) {
  const found = view.statistics?.[name];
  if (!found || !showsStatistics(view)) return null;
  const { hands, vpip, pfr, aggression } = found;
  const factor = aggression === null ? "–" : aggression.toFixed(1);
  const words = `VPIP ${vpip} %, PFR ${pfr} %, aggression ${factor}, in ${hands} hands`;
  return make(
    "p",
    { class: "plate-statistics", title: words },
    make("span", { "aria-hidden": "true" }, `${vpip}/${pfr}/${factor}`),
    unseen(words),
  );
}
