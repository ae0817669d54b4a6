/* Long questions, which the server answers in the background: their progress, and a way to stop them. */

import { sentence } from "../words/sentences.js";
import { make } from "./elements.js";
import { answerOf } from "./session_data.js";

const PAUSE = 500;

/** A progress bar for a job that counts something, with a button that stops it. */
export class JobProgress {
  #job = null;
  #left = false;

  /** `label` names the bar, `starting` is shown until the work begins. */
  constructor(label, starting) {
    this.bar = make("progress", { "aria-label": label });
    this.count = make("span", { "aria-hidden": "true" }, starting);
    const stop = make("button", { type: "button", class: "small-button", onclick: () => this.#stop() }, "Stop");
    this.element = make("p", { class: "job-progress" }, this.bar, this.count, stop);
  }

  /** Wait for a job; its result, or null if the page was left meanwhile. Refusals and failures are thrown. */
  async follow(job) {
    this.#job = job;
    while (!this.#left) {
      const state = await answerOf(`/api/jobs/${encodeURIComponent(job)}`);
      if (state.error) throw new Error(sentence(state.error));
      if (state.result) return state.result;
      if (state.of) {
        this.bar.max = state.of;
        this.bar.value = state.done;
        this.count.textContent = `${state.done} of ${state.of} hands`;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    return null;
  }

  /** Ask no more; the work goes on. */
  leave() {
    this.#left = true;
  }

  async #stop() {
    this.count.textContent = "Stopping …";
    if (this.#job) await answerOf(`/api/jobs/${encodeURIComponent(this.#job)}`, null, "DELETE").catch(() => {});
  }
}
