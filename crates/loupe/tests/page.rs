//! The page of `loupe run --html` in a browser: what its script makes, and that it answers clicks and keys. Without a browser in the
//! path nothing is looked at, unless `CARAT_REQUIRE_TOOLS` is set: then that is a failure.

use std::path::{Path, PathBuf};
use std::process::Command;

const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Goes down into the treemap, sorts by place, and says what is then to be seen.
const CLICKS: &str = r##"<script>{
const click = element => element.dispatchEvent(new MouseEvent("click", {bubbles: true}));
const before = document.querySelectorAll("#map rect").length;
click(document.querySelector("#map rect"));
click(document.querySelectorAll("#rows th button")[1]);
const places = [...document.querySelectorAll("#rows tbody tr")].map(row => row.children[1].textContent);
const isSorted = places.every((place, i) => i === 0 || places[i - 1].localeCompare(place) <= 0);
const graph = document.getElementById("flame");
const frames = () => [...graph.querySelectorAll("g[role=button]")];
const press = key => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
const say = document.getElementById("call");
const choose = (id, value) => { const list = document.getElementById(id); list.value = value; list.dispatchEvent(new Event("change")); };
const checks = [];
const check = (name, holds) => { if (!holds) checks.push(name); };
check("one frame is in the order of tabs", frames().filter(frame => frame.getAttribute("tabindex") === "0").length === 1);
frames()[0].focus();
check("all", say.textContent.startsWith("all: "));
press("ArrowDown");
check("down", say.textContent.startsWith("<main> at "));
const whole = frames().length;
press("ArrowDown");
const inner = say.textContent;
press("Enter");
check("zoomed", say.textContent === inner && frames().length < whole && !document.getElementById("whole").disabled);
check("outer calls stay", graph.querySelectorAll("g.outer").length === 2);
press("Escape");
press("Escape");
check("back", frames().length === whole);
press("Home");
check("home", say.textContent.startsWith("all: "));
const search = document.getElementById("search");
search.value = "Thing#initialize";
search.dispatchEvent(new Event("input"));
check("found", graph.querySelectorAll("g.fit").length > 0 && /^[1-9][0-9,]* bytes, /.test(document.getElementById("found").textContent));
search.value = "";
search.dispatchEvent(new Event("input"));
choose("unit", "objects");
check("objects", /^all: [0-9,]+ objects/.test(say.textContent));
choose("mode", "1");
check("retained", /^all: [0-9,]+ objects, 100/.test(say.textContent) && document.getElementById("meaning").textContent.includes("at the end"));
choose("mode", "0");
check("core calls are grey", frames().some(frame => frame.getAttribute("aria-label").includes("(core)")));
check("layers", document.querySelectorAll("#living path").length > 2);
check("collections", document.querySelectorAll("#resident-line line").length > 2);
const moment = document.getElementById("moment"), then = document.getElementById("then");
moment.value = 0; moment.dispatchEvent(new Event("input"));
const first = then.textContent;
moment.value = moment.max; moment.dispatchEvent(new Event("input"));
check("moments", first !== then.textContent && document.querySelectorAll("#lived tbody tr").length > 0);
choose("parts", "sites");
check("places", document.querySelector("#lived tbody td").textContent.includes("program.rb:"));
check("names", [...document.querySelectorAll("button, select, input, svg")].every(one => one.textContent.trim() || one.getAttribute("aria-label") || one.labels?.length));
check("one main part", document.querySelectorAll("main").length === 1 && document.querySelector("main h1"));
check("keys scroll", [...document.querySelectorAll(".wide, pre")].every(one => one.scrollWidth <= one.clientWidth || one.tabIndex === 0));
check("boxes say what they show", [...graph.querySelectorAll("g[role=button]")].every(one => !one.textContent));
document.title = checks.length ? `wrong: ${checks.join(", ")}` : `boxes ${before > 0} deeper ${document.getElementById("where").textContent !== ""} sorted ${isSorted} rows ${places.length > 5}`;
}</script>"##;

/// One that starts.
fn browser() -> Option<&'static str> {
    let tells_its_version =
        |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
    let found = BROWSERS.into_iter().find(tells_its_version);
    let is_needed = found.is_none() && std::env::var_os("CARAT_REQUIRE_TOOLS").is_some();
    assert!(!is_needed, "no browser to look at the page with: none of {BROWSERS:?} tells its version");
    found
}

/// What the page has become when its script has run.
fn dom_of(browser: &str, page: &Path) -> String {
    let shown = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser runs");
    let (dom, said) = (String::from_utf8_lossy(&shown.stdout), String::from_utf8_lossy(&shown.stderr));
    assert!(shown.status.success() && dom.contains("<title>"), "{browser}: {}\n{said}\n{dom}", shown.status);
    dom.into_owned()
}

#[test]
fn the_page_works_in_a_browser() {
    let Some(browser) = browser() else { return };
    let page = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("page.html");
    let fixture = format!("{}/tests/fixtures/program.rb", env!("CARGO_MANIFEST_DIR"));
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("program.rb");
    let text = std::fs::read_to_string(fixture).expect("the program is there");
    // The time line needs more than one moment.
    let more = "GC.start\nKEEP.concat(Array.new(500) { |i| i.to_s })\nGC.start\n";
    std::fs::write(&program, text + more).expect("the program can be written");
    let made =
        Command::new(env!("CARGO_BIN_EXE_loupe")).args(["run", "--quiet", "--html"]).arg(&page).arg(program).output();
    assert!(made.expect("loupe runs").status.success());
    let text = std::fs::read_to_string(&page).expect("the page was written");
    std::fs::write(&page, text.replace("</html>", &format!("{CLICKS}</html>"))).expect("the page can be changed");
    let dom = dom_of(browser, &page);
    let title = dom.split("<title>").nth(1).and_then(|t| t.split("</title>").next()).unwrap_or_default();
    assert_eq!(title, "boxes true deeper true sorted true rows true", "{dom}");
    let advice =
        dom.split("<table id=\"advice\">").nth(1).and_then(|rest| rest.split("</table>").next()).unwrap_or_default();
    assert!(advice.contains("<td class=\"n\">1</td>") && advice.contains("<span class=\"added\">+"), "{advice}");
    assert!(dom.contains("Literals nobody wrote to: safe to freeze") && dom.contains("class=\"used\""));
    assert!(dom.contains("class=\"hot\""), "sources stand beside their figures");
}
