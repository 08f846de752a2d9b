// What every page has: the theme switch and dialogs that ask before something that can't be undone.

const THEMES = ["auto", "light", "dark"];
const root = document.documentElement;
const switcher = document.getElementById("theme");

function wear(theme) {
  root.dataset.theme = theme;
  // The server reads the cookie and writes the theme into the page before its first paint.
  document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=lax`;
  try {
    localStorage.setItem("theme", theme); // where the Django admin looks
  } catch (error) {
    console.info("The theme is not shared with the staff pages:", error.message); // storage is switched off
  }
  const words = switcher.dataset[theme];
  switcher.title = words;
  switcher.querySelector("span").textContent = words;
}

if (switcher) {
  wear(root.dataset.theme);
  switcher.hidden = false;
  switcher.addEventListener("click", () => wear(THEMES[(THEMES.indexOf(root.dataset.theme) + 1) % THEMES.length]));
}

// Buttons open and close dialogs by their own attributes; browsers before 2025 need telling.
if (!("commandForElement" in HTMLButtonElement.prototype)) {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[commandfor]");
    if (!button) return;
    const dialog = document.getElementById(button.getAttribute("commandfor"));
    if (button.getAttribute("command") === "close") dialog.close();
    else dialog.showModal();
  });
}
